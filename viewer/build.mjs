// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// Bundles src/ into pages. Three of them have marks where the program writes its data: report.html shows a run,
// study.html a study, orbits.html branches of periodic orbits. studio.html fetches its data from the program that delivers it.
//   node build.mjs [FOLDER [SOURCE.cpp]]    the second is the pages as C++, for the program
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const [folder = join(here, "dist"), source] = process.argv.slice(2);

async function bundle(entry) {
  const result = await build({
    entryPoints: [join(here, "src", entry)],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: "es2022",
    legalComments: "inline",
    charset: "utf8",
    logLevel: "warning",
  });
  return result.outputFiles[0].text.trim();
}

async function page(file, title, entry, styles, fetches = "") {
  const script = (await bundle(entry)).replaceAll("</script", "<\\/script");
  const style = await bundle(styles);
  // Only this script may run, and nothing may be fetched (by the studio and by the page of a study: only from where
  // they come): a text of a model that slipped through could do no harm.
  const hash = createHash("sha256").update(script).digest("base64");
  const policy =
    `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src data: blob:; ${fetches}` +
    `base-uri 'none'; form-action 'none'`;
  const text = readFileSync(join(here, "src", "page.html"), "utf8")
    .replace("{{policy}}", () => policy)
    .replace("{{title}}", () => title)
    .replace("{{style}}", () => style)
    .replace("{{script}}", () => script);
  writeFileSync(join(folder, file), text);
  return text;
}
mkdirSync(folder, { recursive: true });
const pages = {
  page_template: await page("report.html", "Tappet run", "main.ts", "style.css"),
  study_page_template: await page("study.html", "Tappet study", "study/main.ts", "study/study.css", "frame-src 'self'; "),
  orbits_page_template: await page("orbits.html", "Tappet orbits", "orbits/main.ts", "orbits/orbits.css"),
  studio_page_template: await page("studio.html", "Tappet Studio", "studio/main.ts", "studio/studio.css", "connect-src 'self'; "),
};

// Compilers bound the length of a literal: the page in pieces, none of which splits a character.
function asSource(name, text) {
  const pieces = [];
  for (let at = 0; at < text.length; ) {
    let end = Math.min(at + 8000, text.length);
    if (/[\uD800-\uDBFF]/.test(text[end - 1])) --end;
    pieces.push(`R"tappet(${text.slice(at, end)})tappet"`);
    at = end;
  }
  return `
std::string tappet::${name}() {
  static const char* const pieces[] = {
${pieces.join(",\n")}};
  std::string page;
  for (const char* piece : pieces) page += piece;
  return page;
}
`;
}
if (source) writeFileSync(source, `#include "report/page.h"\n${Object.entries(pages).map(([name, text]) => asSource(name, text)).join("")}`);
