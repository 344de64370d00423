declare module 'qrcode' {
  interface Code {
    readonly modules: { readonly size: number; get(row: number, column: number): number };
  }

  const qrcode: { create(text: string, options: { errorCorrectionLevel: 'M' }): Code };
  export default qrcode;
}
