declare module 'fastify' {
  import type { IncomingHttpHeaders } from 'node:http';

  export interface FastifyRequest<Route extends { Body: unknown } = { Body: unknown }> {
    readonly id: string;
    readonly headers: IncomingHttpHeaders;
    readonly body: Route['Body'];
  }
  export interface FastifyReply {
    code(status: number): this;
    type(name: string): this;
  }
  type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<string>;
  interface Fastify {
    post(path: string, options: { readonly schema: { readonly body: object } }, handler: Handler): void;
    listen(options: { readonly host: string; readonly port: number }): Promise<string>;
  }

  export default function fastify(options: { readonly logger: boolean }): Fastify;
}
