// Transcripts, sealed files and scope files, written from docs/format.md, sections 1, 4, 5 and 6. Test-only.

import { createHash } from "node:crypto";

import { canonical } from "./canonical.mjs";
import { Refused, decode, parse } from "./strict_json.mjs";

const FIRST_PREV = "0".repeat(64);
const isText = (value) => typeof value === "string";
const isObject = (value) => value instanceof Map;
const RECORD = { index: (value) => typeof value === "bigint", tool: isText, args: isObject, response: isObject };
const LINK = { ...RECORD, prev: isText, digest: isText };
const SCOPE = { agent: isText, allowed_tools: (value) => Array.isArray(value) && value.every(isText) };

function* lines(bytes) {
  let number = 1;
  for (let start = 0; start < bytes.length; number += 1) {
    const found = bytes.indexOf(10, start);
    const end = found < 0 ? bytes.length : found;
    const line = bytes.subarray(start, end > start && bytes[end - 1] === 13 ? end - 1 : end);
    if (line.some((byte) => byte !== 32 && byte !== 9)) yield [number, line];
    start = end + 1;
  }
}

function shaped(value, fields) {
  if (!isObject(value)) throw new Refused("not-an-object");
  for (const key of value.keys()) if (!Object.hasOwn(fields, key)) throw new Refused("unexpected-field");
  for (const key of Object.keys(fields)) if (!value.has(key)) throw new Refused("missing-field");
  for (const [key, holds] of Object.entries(fields)) if (!holds(value.get(key))) throw new Refused("wrong-type");
  return value;
}

function located(number, read) {
  try {
    return read();
  } catch (error) {
    if (error instanceof Refused) error.line = number;
    throw error;
  }
}

function* objects(bytes, fields) {
  for (const [number, line] of lines(bytes)) {
    yield [number, located(number, () => shaped(parse(decode(line)), fields))];
  }
}

function inOrder(number, value, expected) {
  located(number, () => {
    if (value.get("index") !== BigInt(expected)) throw new Refused("index-out-of-order");
  });
}

export function readTranscript(bytes) {
  const records = [];
  for (const [number, record] of objects(bytes, RECORD)) {
    inOrder(number, record, records.length);
    records.push(record);
  }
  return records;
}

export function readScope(bytes) {
  return shaped(parse(decode(bytes)), SCOPE);
}

function digestOf(link) {
  const hashed = new Map([...link].filter(([key]) => key !== "digest"));
  return createHash("sha256").update(canonical(hashed)).digest("hex");
}

export function seal(bytes) {
  let prev = FIRST_PREV;
  let sealed = "";
  for (const record of readTranscript(bytes)) {
    const link = new Map([...record, ["prev", prev]]);
    prev = digestOf(link);
    sealed += `${canonical(link.set("digest", prev))}\n`;
  }
  return sealed;
}

export function verify(bytes) {
  let links = 0;
  let head = FIRST_PREV;
  const broken = (expected, found) => ({ chain: "broken", index: links, expected, found });
  for (const [number, link] of objects(bytes, LINK)) {
    if (link.get("prev") !== head) return broken(head, link.get("prev"));
    const recomputed = digestOf(link);
    if (link.get("digest") !== recomputed) return broken(recomputed, link.get("digest"));
    inOrder(number, link, links);
    head = recomputed;
    links += 1;
  }
  if (links === 0) throw new Refused("no-links");
  return { chain: "intact", links, head };
}
