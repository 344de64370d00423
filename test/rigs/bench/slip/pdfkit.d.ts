declare module 'pdfkit' {
  import type { Readable } from 'node:stream';

  export default class PDFDocument extends Readable {
    constructor(options: { size: 'A4'; margin: number; lang: string; info: Record<string, unknown> });
    font(name: string): this;
    fontSize(size: number): this;
    fillColor(colour: string): this;
    strokeColor(colour: string): this;
    lineWidth(width: number): this;
    rect(x: number, y: number, width: number, height: number): this;
    circle(x: number, y: number, radius: number): this;
    moveTo(x: number, y: number): this;
    lineTo(x: number, y: number): this;
    fill(colour?: string): this;
    stroke(): this;
    text(text: string, x: number, y: number, options: { lineBreak: boolean }): this;
    image(source: Uint8Array, x: number, y: number, options: { cover: [number, number] }): this;
    widthOfString(text: string): number;
    end(): void;
  }
}
