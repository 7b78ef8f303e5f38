// Strict JSON, written from docs/format.md, sections 1 and 2. Test-only: it shares nothing with the program.
//
// Values: null, true and false are themselves; an integer is a BigInt, any other number a Number; a string is a string
// (of UTF-16 units, lone surrogates included); an array is an Array; an object is a Map.

const DEEPEST = 500;
const LONGEST_INTEGER = 4300;

export class Refused extends Error {
  constructor(reason) {
    super(reason);
    this.reason = reason;
    this.line = null;
  }
}

const SHORT = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };
const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;

export function decode(bytes) {
  for (const mark of [[0xef, 0xbb, 0xbf], [0xff, 0xfe], [0xfe, 0xff]]) {
    if (mark.every((byte, at) => bytes[at] === byte)) throw new Refused("byte-order-mark");
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Refused("not-utf-8");
  }
}

export function parse(text) {
  refuseDepth(text);
  let at = 0;

  const fail = () => {
    throw new Refused("not-json");
  };
  const blank = () => {
    while (" \t\r\n".includes(text[at] ?? "x")) at += 1;
  };
  const take = (character) => {
    blank();
    if (text[at] !== character) return false;
    at += 1;
    return true;
  };
  const expect = (character) => take(character) || fail();

  function value() {
    blank();
    const first = text[at];
    if (first === "{") return object();
    if (first === "[") return array();
    if (first === '"') return string();
    for (const [word, meaning] of [["null", null], ["true", true], ["false", false]]) {
      if (text.startsWith(word, at)) {
        at += word.length;
        return meaning;
      }
    }
    return number();
  }

  function object() {
    const members = new Map();
    expect("{");
    if (take("}")) return members;
    do {
      blank();
      if (text[at] !== '"') fail();
      const key = string();
      if (members.has(key)) throw new Refused("duplicate-key");
      expect(":");
      members.set(key, value());
    } while (take(","));
    expect("}");
    return members;
  }

  function array() {
    const items = [];
    expect("[");
    if (take("]")) return items;
    do items.push(value());
    while (take(","));
    expect("]");
    return items;
  }

  function string() {
    let read = "";
    for (at += 1; text[at] !== '"'; at += 1) {
      const character = text[at];
      if (character === undefined || character < " ") fail();
      if (character !== "\\") {
        read += character;
        continue;
      }
      at += 1;
      if (text[at] !== "u") {
        read += Object.hasOwn(SHORT, text[at] ?? "") ? SHORT[text[at]] : fail();
        continue;
      }
      const digits = text.slice(at + 1, at + 5);
      if (!/^[0-9a-fA-F]{4}$/.test(digits)) fail();
      read += String.fromCharCode(parseInt(digits, 16));
      at += 4;
    }
    at += 1;
    return read;
  }

  function number() {
    NUMBER.lastIndex = at;
    const match = NUMBER.exec(text) ?? fail();
    at += match[0].length;
    if (match[1] === undefined && match[2] === undefined) {
      if (match[0].replace("-", "").length > LONGEST_INTEGER) throw new Refused("integer-too-long");
      return BigInt(match[0]);
    }
    const double = Number(match[0]);
    if (!Number.isFinite(double)) throw new Refused("number-overflow");
    return double;
  }

  const read = value();
  blank();
  return at === text.length ? read : fail();
}

function refuseDepth(text) {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (inString && character === "\\") at += 1;
    else if (character === '"') inString = !inString;
    else if (!inString && (character === "[" || character === "{")) {
      depth += 1;
      if (depth > DEEPEST) throw new Refused("too-deep");
    } else if (!inString && (character === "]" || character === "}")) depth -= 1;
  }
}
