// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// Bundles src/ into one page with two marks where the program writes the run:
//   node build.mjs [PAGE.html [SOURCE.cpp]]    the second is the page as C++, for the program
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const [target = join(here, "dist", "report.html"), source] = process.argv.slice(2);

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

const script = (await bundle("main.ts")).replaceAll("</script", "<\\/script");
const style = await bundle("style.css");
// Only this script may run, and nothing may be fetched: a text of a model that slipped through could do no harm.
const hash = createHash("sha256").update(script).digest("base64");
const policy =
  `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src data: blob:; ` +
  `base-uri 'none'; form-action 'none'`;
const page = readFileSync(join(here, "src", "page.html"), "utf8")
  .replace("{{policy}}", () => policy)
  .replace("{{style}}", () => style)
  .replace("{{script}}", () => script);
mkdirSync(dirname(target), { recursive: true });
writeFileSync(target, page);

// Compilers bound the length of a literal: the page in pieces, none of which splits a character.
function asSource(text) {
  const pieces = [];
  for (let at = 0; at < text.length; ) {
    let end = Math.min(at + 8000, text.length);
    if (/[\uD800-\uDBFF]/.test(text[end - 1])) --end;
    pieces.push(`R"tappet(${text.slice(at, end)})tappet"`);
    at = end;
  }
  return `#include "report/page.h"

static const char* const pieces[] = {
${pieces.join(",\n")}};

std::string tappet::page_template() {
  std::string page;
  for (const char* piece : pieces) page += piece;
  return page;
}
`;
}
if (source) writeFileSync(source, asSource(page));
