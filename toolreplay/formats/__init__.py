"""Recorded sessions of other tools, read into the records of a transcript.

One module a family. `registry` names them, `reading` reads a file with one of them, and between the two stands the
rule that is the same for all: a record is ``{"index", "tool", "args", "response"}``, in which

* `index` counts calls in the order in which the file has them;
* `args` is the recorded object; a JSON string is parsed, twice where it was encoded twice; any other text is kept as
  ``{"_raw": text}``;
* `response` is ``{"content": …, "status": …}``, `content` as recorded and left out where there is none, `status` one of
  ``ok``, ``error``, ``denied``, ``interrupted``, ``missing`` (no result anywhere) and ``unknown`` (the format has no
  flag);
* ids, times, usage and working folders are left out, so that two recordings of the same run give the same transcript;
* images and other blobs are kept as ``{"type", "sha256", "bytes"}``.

Calls pair with results by id. Whatever is not read is counted.
"""
