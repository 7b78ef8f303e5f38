// Canonical JSON, written from docs/format.md, section 3. Test-only.

const SHORT = { '"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

export function canonical(value) {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "number") return float(value);
  if (typeof value === "string") return string(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  const keys = [...value.keys()].sort(byCodePoint);
  return `{${keys.map((key) => `${string(key)}:${canonical(value.get(key))}`).join(",")}}`;
}

function byCodePoint(one, other) {
  const [left, right] = [[...one], [...other]]; // a pair is one element, a lone surrogate another
  for (let at = 0; at < Math.min(left.length, right.length); at += 1) {
    const difference = left[at].codePointAt(0) - right[at].codePointAt(0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

function string(text) {
  let written = "";
  for (const character of text) {
    const code = character.codePointAt(0);
    if (Object.hasOwn(SHORT, character)) written += SHORT[character];
    else if (code < 0x20 || (code >= 0xd800 && code <= 0xdfff)) written += `\\u${code.toString(16).padStart(4, "0")}`;
    else written += character;
  }
  return `"${written}"`;
}

function float(double) {
  if (double === 0) return Object.is(double, -0) ? "-0.0" : "0.0";
  // The shortest digits and the exponent of the first one; toExponential without a count gives just these.
  const [, sign, first, rest, exponent] = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(double.toExponential());
  const digits = first + (rest ?? "");
  const power = Number(exponent);
  if (power < -4 || power >= 16) {
    const fraction = rest === undefined ? "" : `.${rest}`;
    return `${sign}${first}${fraction}e${exponent[0]}${exponent.slice(1).padStart(2, "0")}`;
  }
  if (power < 0) return `${sign}0.${"0".repeat(-power - 1)}${digits}`;
  const whole = digits.slice(0, power + 1).padEnd(power + 1, "0");
  return `${sign}${whole}.${digits.slice(power + 1) || "0"}`;
}
