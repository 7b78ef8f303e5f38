// Opens pages in headless Chromium and checks what a reader sees:  node browse.mjs FOLDER CHROMIUM PLAYWRIGHT
import { createServer } from "node:http";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [folder, chromium, modules] = process.argv.slice(2);
const { chromium: driver } = createRequire(join(modules, "x.js"))("playwright-core");
const profile = mkdtempSync(join(tmpdir(), "profile-"));
const failures = [];

function check(holds, what) {
  if (!holds) failures.push(what);
  console.log(`${holds ? "ok" : "FAILED"}: ${what}`);
}

// Over HTTP, so that a request that a page makes is seen here, whatever the browser reports.
const asked = [];
const server = createServer((request, response) => {
  asked.push(request.url);
  response.setHeader("Content-Type", "text/html; charset=utf-8");
  response.end(readFileSync(join(folder, request.url.slice(1))));
}).listen(0, "127.0.0.1");
await new Promise((ready) => server.once("listening", ready));
const base = `http://127.0.0.1:${server.address().port}/`;

const context = await driver.launchPersistentContext(profile, {
  executablePath: chromium,
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
context.setDefaultTimeout(20_000);

async function open(name, options = {}) {
  const page = await context.newPage();
  const said = { requests: [], errors: [] };
  page.on("request", (request) => said.requests.push(request.url()));
  page.on("console", (message) => { if (["error", "warning"].includes(message.type())) said.errors.push(message.text()); });
  page.on("pageerror", (error) => said.errors.push(String(error)));
  page.on("dialog", (dialog) => { said.errors.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  await page.setViewportSize(options.size || { width: 1200, height: 900 });
  await page.emulateMedia({ colorScheme: options.scheme || "light" });
  const began = Date.now();
  await page.goto(base + name);
  await page.locator("#count").filter({ hasText: "calls" }).waitFor();
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  return { page, said, seconds: (Date.now() - began) / 1000 };
}

async function quiet(name, { page, said }) {
  check(said.requests.length === 1, `${name}: no request but the page itself (${said.requests.slice(1, 4)})`);
  check(said.errors.length === 0, `${name}: nothing on the console (${said.errors.slice(0, 3)})`);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  check(wide <= 0, `${name}: nothing sticks out to the side (${wide} pixels)`);
}

async function shot(page, name) {
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

const shown = (page) => page.locator("details.c:not([hidden])").count();
const counted = (page) => page.locator("#count").textContent();

async function sample() {
  const opened = await open("sample.html");
  const { page } = opened;
  check((await counted(page)) === "6 of 6 calls", "sample: six calls");
  check((await page.locator("h1").textContent()) === "ToolReplay check: findings", "sample: the verdict");
  check((await page.locator("dd code").textContent()).length === 64, "sample: the head");
  await shot(page, "sample");

  // With the keyboard alone: to the filter, a word, the next finding, its link to the first call.
  await page.keyboard.press("Tab");
  check(await page.evaluate(() => document.activeElement.className === "skip"), "sample: the first stop skips to the files");
  await page.keyboard.press("Tab");
  await page.keyboard.type("search");
  await page.locator("#count").filter({ hasText: "2 of 6" }).waitFor();
  check((await shown(page)) === 2, "sample: the filter by text");
  await page.locator("#words").fill("no call has this");
  await page.locator("#count").filter({ hasText: "0 of 6" }).waitFor();
  check(await page.locator("#none").isVisible() && !(await page.locator("#c0-0").isVisible()), "sample: nothing fits, and the page says so");
  await page.locator("#words").focus();
  await page.keyboard.press("Control+A");
  await page.keyboard.press("Delete");
  await page.locator("#count").filter({ hasText: "6 of 6" }).waitFor();
  for (let presses = 0; presses < 3; presses++) await page.keyboard.press("Tab");
  for (let presses = 0; presses < 3; presses++) {
    await page.locator("#next").focus();
    await page.keyboard.press("Enter");
  }
  check(await page.locator("#c0-5").evaluate((call) => call.open), "sample: the third finding opens");
  check(await page.evaluate(() => document.activeElement.parentElement.id === "c0-5"), "sample: and has the focus");
  check((await page.locator("#c0-5 del").allTextContents()).join() === "3", "sample: what the first response had");
  check((await page.locator("#c0-5 ins").allTextContents()).join() === "7", "sample: what this response has");
  await shot(page, "sample-difference");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.locator("#c0-3[open]").waitFor();
  check(await page.evaluate(() => document.activeElement.parentElement.id === "c0-3"), "sample: the link leads to the first call");
  await page.keyboard.press("Enter");
  check(!(await page.locator("#c0-3").evaluate((call) => call.open)), "sample: Enter folds it");

  await page.selectOption("#kind", "p");
  check((await shown(page)) === 1, "sample: the filter by kind");
  await page.selectOption("#kind", "f");
  check((await shown(page)) === 3, "sample: all with findings");
  await quiet("sample", opened);
  await page.close();

  const phone = await open("sample.html", { size: { width: 360, height: 740 }, scheme: "dark" });
  await phone.page.locator("#next").click();
  await phone.page.locator("#c0-5").evaluate((call) => { call.open = true; call.scrollIntoView(); });
  const dark = await phone.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  check(dark === "rgb(13, 17, 23)", `phone: dark (${dark})`);
  await quiet("phone", phone);
  await shot(phone.page, "sample-phone-dark");
  await phone.page.close();
}

async function big(name, calls, seconds) {
  const opened = await open(name + ".html");
  const { page } = opened;
  check(opened.seconds < seconds, `${name}: open in ${opened.seconds} s, at most ${seconds}`);
  check((await counted(page)) === `${calls} of ${calls} calls`, `${name}: all calls`);
  await shot(page, name);
  let began = Date.now();
  await page.selectOption("#kind", "n");
  await page.locator("#count").filter({ hasText: `${calls / 10} of` }).waitFor();
  check((Date.now() - began) / 1000 < seconds, `${name}: filtered by kind in ${(Date.now() - began) / 1000} s`);
  began = Date.now();
  await page.selectOption("#kind", "");
  await page.fill("#words", `folder/${calls - 2}"`);
  await page.locator("#count").filter({ hasText: "1 of" }).waitFor();
  check((Date.now() - began) / 1000 < seconds, `${name}: filtered by text in ${(Date.now() - began) / 1000} s`);
  check(await page.locator(`#c0-${calls - 2}`).isVisible(), `${name}: the call that was looked for is seen`);
  await page.fill("#words", "");
  await page.locator("#count").filter({ hasText: `${calls} of` }).waitFor();
  await page.evaluate((last) => { location.hash = `c0-${last}`; }, calls - 1);
  await page.locator(`#c0-${calls - 1}[open]`).waitFor();
  await page.waitForTimeout(500);
  await shot(page, `${name}-last`);
  await quiet(name, opened);
  await page.close();
}

async function many() {
  const opened = await open("many.html");
  const { page } = opened;
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  check(height < 8_000, `many: no gaps between twelve files of six calls (${height} pixels)`);
  await page.locator("a[href='#f11']").click();
  const below = await page.evaluate(() => document.getElementById("f11").getBoundingClientRect().top -
    document.getElementById("filter").getBoundingClientRect().bottom);
  check(below >= 0, `many: the filter does not cover the file that a link leads to (${below} pixels)`);
  await page.locator("#words").fill("install");
  await page.locator("#count").filter({ hasText: "24 of 72" }).waitFor();
  check((await page.locator("section:not([hidden])").count()) === 12, "many: every file has a call that fits");
  await page.locator("#words").fill("only-in-the-last");
  await page.locator("#count").filter({ hasText: "0 of 72" }).waitFor();
  check((await page.locator("section:not([hidden])").count()) === 0, "many: no file has a call that fits");
  await quiet("many", opened);
  await page.close();
}

async function hostile() {
  const opened = await open("hostile.html");
  const { page } = opened;
  await page.locator("details.c").evaluateAll((calls) => calls.forEach((call) => { call.open = true; }));
  await page.waitForTimeout(500);
  check((await page.title()) === "ToolReplay check: findings", "hostile: no script ran");
  const strange = await page.evaluate(() => {
    const known = new Set(("html head meta title style body a h1 h2 h3 span dl dt dd p form input select option button output " +
      "main section ul li div details summary b bdi mark code i pre del ins script br").split(" "));
    return Array.from(document.querySelectorAll("*")).filter((element) => !known.has(element.localName) ||
      element.getAttributeNames().some((name) => name.startsWith("on") || name === "style" || name === "src" || name === "srcdoc") ||
      (element.hasAttribute("href") && !/^#(c\d+-\d+|f\d+|files)$/.test(element.getAttribute("href")))).map((element) => element.outerHTML.slice(0, 80));
  });
  check(strange.length === 0, `hostile: no element, handler or address but our own (${strange})`);
  check((await page.locator("script").count()) === 1 && (await page.locator("style").count()) === 1, "hostile: one script and one style");
  const hidden = await page.evaluate(() => /[\u202a-\u202e\u2066-\u2069\u200e\u200f\u0000-\u0008]/.test(document.body.textContent));
  check(!hidden, "hostile: no character that hides or turns text");
  check((await page.locator("pre").evaluateAll((all) => Math.max(...all.map((one) => one.textContent.length)))) < 210_000,
    "hostile: the response of a megabyte is cut");
  check((await page.locator(".x", { hasText: "cut here" }).count()) === 2, "hostile: and the cut is marked, as is that of 490 levels");
  check((await page.locator("bdi", { hasText: "متن" }).count()) > 0, "hostile: right-to-left text is an element of its own");
  await page.locator("#c0-0").scrollIntoViewIfNeeded();
  await shot(page, "hostile");
  await page.locator("details.c").last().scrollIntoViewIfNeeded();
  await page.waitForTimeout(300);
  await shot(page, "hostile-right-to-left");
  await quiet("hostile", opened);

  // The second wall by itself: what is put into the page against the rules neither runs nor loads.
  const before = asked.length;
  await page.evaluate(() => {
    document.body.insertAdjacentHTML("beforeend", "<img src='/stolen' onerror=\"document.title='owned'\"><iframe src='/stolen'></iframe>");
    const script = document.createElement("script");
    script.textContent = "document.title = 'owned'";
    document.body.append(script);
  });
  await page.waitForTimeout(500);
  check((await page.title()) === "ToolReplay check: findings", "hostile: the policy stops a script that was put in");
  check(asked.length === before, "hostile: the policy stops requests");
  await page.close();
}

async function noContent() {
  const opened = await open("no-content.html");
  check((await opened.page.locator("pre").count()) === 0, "no content: neither arguments nor responses");
  await quiet("no content", opened);
  await opened.page.close();
}

try {
  await sample();
  await noContent();
  await many();
  await hostile();
  await big("calls-5000", 5_000, 5);
  await big("calls-50000", 50_000, 30);
  const pages = readdirSync(folder).filter((name) => name.endsWith(".html")).map((name) => `/${name}`);
  check(asked.every((url) => pages.includes(url)), `nothing else was asked of the server (${asked.filter((url) => !pages.includes(url))})`);
} finally {
  await context.close();
  server.close();
  rmSync(profile, { recursive: true, force: true });
}
if (failures.length) {
  console.error(`failed:\n  ${failures.join("\n  ")}`);
  process.exitCode = 1;
}
