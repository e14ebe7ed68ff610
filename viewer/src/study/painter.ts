// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
// Draws the same plot on a canvas, for the page, or as SVG, for a file.
import { svg } from "../dom";

export interface TextStyle {
  color: string;
  anchor?: "start" | "middle" | "end";
  size?: number;
  turned?: boolean; // from below to above
  bold?: boolean;
}
export interface LineStyle {
  color: string;
  width?: number;
  dash?: number[];
  opacity?: number;
}

// Points are given as x0, y0, x1, y1, … A NaN interrupts a line.
export interface Painter {
  rect(x: number, y: number, width: number, height: number, fill: string, opacity?: number): void;
  line(points: ArrayLike<number>, style: LineStyle): void;
  dots(points: ArrayLike<number>, radius: number, fill: string, opacity?: number): void;
  ring(x: number, y: number, radius: number, color: string): void;
  text(value: string, x: number, y: number, style: TextStyle): void;
  image(picture: HTMLCanvasElement, x: number, y: number, width: number, height: number): void;
  clipped(x: number, y: number, width: number, height: number, draw: () => void): void;
}

export class CanvasPainter implements Painter {
  constructor(private c: CanvasRenderingContext2D) {}

  rect(x: number, y: number, width: number, height: number, fill: string, opacity = 1) {
    this.c.globalAlpha = opacity;
    this.c.fillStyle = fill;
    this.c.fillRect(x, y, width, height);
    this.c.globalAlpha = 1;
  }
  line(points: ArrayLike<number>, { color, width = 1, dash = [], opacity = 1 }: LineStyle) {
    const { c } = this;
    c.globalAlpha = opacity;
    c.strokeStyle = color;
    c.lineWidth = width;
    c.lineJoin = "round";
    c.setLineDash(dash);
    c.beginPath();
    let pen = false;
    for (let i = 0; i < points.length; i += 2) {
      const finite = Number.isFinite(points[i] + points[i + 1]);
      if (finite && pen) c.lineTo(points[i], points[i + 1]);
      else if (finite) c.moveTo(points[i], points[i + 1]);
      pen = finite;
    }
    c.stroke();
    c.setLineDash([]);
    c.globalAlpha = 1;
  }
  dots(points: ArrayLike<number>, radius: number, fill: string, opacity = 1) {
    const { c } = this;
    c.globalAlpha = opacity;
    c.fillStyle = fill;
    c.beginPath();
    for (let i = 0; i < points.length; i += 2) {
      if (radius < 1.5) c.rect(points[i] - radius, points[i + 1] - radius, 2 * radius, 2 * radius);
      else {
        c.moveTo(points[i] + radius, points[i + 1]);
        c.arc(points[i], points[i + 1], radius, 0, 7);
      }
    }
    c.fill();
    c.globalAlpha = 1;
  }
  ring(x: number, y: number, radius: number, color: string) {
    this.c.strokeStyle = color;
    this.c.lineWidth = 2.5;
    this.c.beginPath();
    this.c.arc(x, y, radius, 0, 7);
    this.c.stroke();
  }
  text(value: string, x: number, y: number, { color, anchor = "start", size = 12, turned, bold }: TextStyle) {
    const { c } = this;
    c.save();
    c.fillStyle = color;
    c.font = `${bold ? "600 " : ""}${size}px system-ui, sans-serif`;
    c.textAlign = anchor === "middle" ? "center" : anchor;
    c.translate(x, y);
    if (turned) c.rotate(-Math.PI / 2);
    c.fillText(value, 0, 0);
    c.restore();
  }
  image(picture: HTMLCanvasElement, x: number, y: number, width: number, height: number) {
    this.c.imageSmoothingEnabled = false;
    this.c.drawImage(picture, x, y, width, height);
  }
  clipped(x: number, y: number, width: number, height: number, draw: () => void) {
    this.c.save();
    this.c.beginPath();
    this.c.rect(x, y, width, height);
    this.c.clip();
    draw();
    this.c.restore();
  }
}

const round = (v: number) => Math.round(100 * v) / 100;

export class SvgPainter implements Painter {
  readonly element: SVGSVGElement;
  private into: SVGElement;
  private clips = 0;

  constructor(width: number, height: number, background: string) {
    this.element = svg("svg", {
      xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${width} ${height}`, width, height, "font-family": "system-ui, sans-serif",
    });
    this.into = this.element;
    this.rect(0, 0, width, height, background);
  }

  rect(x: number, y: number, width: number, height: number, fill: string, opacity = 1) {
    this.into.append(svg("rect", { x: round(x), y: round(y), width: round(width), height: round(height), fill, "fill-opacity": opacity < 1 ? opacity : undefined }));
  }
  line(points: ArrayLike<number>, { color, width = 1, dash = [], opacity = 1 }: LineStyle) {
    let path = "";
    let pen = false;
    for (let i = 0; i < points.length; i += 2) {
      const finite = Number.isFinite(points[i] + points[i + 1]);
      if (finite) path += `${pen ? "L" : "M"}${round(points[i])} ${round(points[i + 1])}`;
      pen = finite;
    }
    if (path) this.into.append(svg("path", { d: path, fill: "none", stroke: color, "stroke-width": width, "stroke-linejoin": "round",
      "stroke-dasharray": dash.join(" ") || undefined, "stroke-opacity": opacity < 1 ? opacity : undefined }));
  }
  dots(points: ArrayLike<number>, radius: number, fill: string, opacity = 1) {
    let path = ""; // lines of no length with round ends are dots
    for (let i = 0; i < points.length; i += 2) path += `M${round(points[i])} ${round(points[i + 1])}h0`;
    if (path) this.into.append(svg("path", { d: path, fill: "none", stroke: fill, "stroke-width": 2 * radius, "stroke-linecap": "round", "stroke-opacity": opacity < 1 ? opacity : undefined }));
  }
  ring(x: number, y: number, radius: number, color: string) {
    this.into.append(svg("circle", { cx: round(x), cy: round(y), r: radius, fill: "none", stroke: color, "stroke-width": 2.5 }));
  }
  text(value: string, x: number, y: number, { color, anchor = "start", size = 12, turned, bold }: TextStyle) {
    const place = turned ? { transform: `translate(${round(x)} ${round(y)}) rotate(-90)` } : { x: round(x), y: round(y) };
    this.into.append(svg("text", { ...place, fill: color, "text-anchor": anchor, "font-size": size, "font-weight": bold ? 600 : undefined }, value));
  }
  image(picture: HTMLCanvasElement, x: number, y: number, width: number, height: number) {
    this.into.append(svg("image", { x, y, width, height, href: picture.toDataURL("image/png"), preserveAspectRatio: "none", style: "image-rendering: pixelated" }));
  }
  clipped(x: number, y: number, width: number, height: number, draw: () => void) {
    const id = `clip${++this.clips}`;
    const outer = this.into;
    const group = svg("g", { "clip-path": `url(#${id})` });
    outer.append(svg("clipPath", { id }, svg("rect", { x, y, width, height })), group);
    this.into = group;
    draw();
    this.into = outer;
  }
}
