// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// Writes a run into the template as docs/report-format.md describes.
import { readFileSync, writeFileSync } from "node:fs";
import { deflateSync } from "node:zlib";

export class Packer {
  chunks = [];
  size = 0;

  add(values, type = "f32") {
    const n = values.length;
    const ref = { at: this.size, n, type };
    let bytes;
    if (type === "u8") bytes = Uint8Array.from(values);
    else {
      const size = type === "f32" ? 4 : 8;
      const raw = new Uint8Array(type === "f32" ? Float32Array.from(values).buffer : Float64Array.from(values).buffer);
      if (type === "f32") {
        const bits = new Uint32Array(raw.buffer);
        for (let i = n - 1; i > 0; --i) bits[i] = (bits[i] - bits[i - 1]) >>> 0;
      }
      bytes = new Uint8Array(raw.length);
      for (let plane = 0; plane < size; ++plane) for (let i = 0; i < n; ++i) bytes[plane * n + i] = raw[i * size + plane];
    }
    this.chunks.push(bytes);
    this.size += bytes.length;
    return ref;
  }

  write(run, template, file) {
    const json = JSON.stringify(run).replaceAll("<", "\\u003c");
    const arrays = deflateSync(Buffer.concat(this.chunks)).toString("base64");
    const page = readFileSync(template, "utf8").replace("<!--TAPPET-RUN-->", () => json).replace("<!--TAPPET-ARRAYS-->", () => arrays);
    writeFileSync(file, page);
  }
}

export function blank(packer, over) {
  return {
    format: 1, title: "", model: "", source: "", scheme: "moreau-midpoint", version: "0.1.0", created: "", dt: 1e-3, end: 1, steps: 1000,
    status: "done", message: "", summary: {}, parameters: [], options: [], warnings: [], unconverged: { count: 0, times: packer.add([], "f64") },
    sampling: { steps: 1000, kept: 1000, note: "" }, model_text: "", series: [], contacts: [], ...over,
  };
}
