"""The rules: strict JSON, transcripts, audits and the hash chain.

Standard library only; nothing here prints or opens a file.
"""
