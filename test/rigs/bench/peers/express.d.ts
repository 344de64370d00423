/** The parts of Express that the naive implementation uses. */
declare module 'express' {
  import type { RequestListener } from 'node:http';

  interface Request {
    readonly body: unknown;
    get(name: string): string | undefined;
  }
  interface Response {
    status(code: number): this;
    type(name: string): this;
    send(body: string): this;
  }
  type Handler = (request: Request, response: Response) => Promise<void>;
  interface Express extends RequestListener {
    use(handler: RequestListener): void;
    post(path: string, handler: Handler): void;
  }

  const express: { (): Express; json(): RequestListener };
  export default express;
}
