/** The parts of autocannon that the bench uses. */
declare module 'autocannon' {
  export interface Request {
    readonly method?: 'GET' | 'POST';
    readonly path?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
    /** Called for each request that is sent; what it returns is sent. */
    readonly setupRequest?: (request: Request) => Request;
  }
  export interface Options extends Request {
    readonly url: string;
    readonly connections: number;
    /** Requests in all. */
    readonly amount: number;
    /** Seconds to wait for a response. */
    readonly timeout?: number;
    /** Sent in turn by each connection. */
    readonly requests?: readonly Request[];
  }
  export interface Result {
    readonly errors: number;
    readonly timeouts: number;
    readonly non2xx: number;
    /** Seconds. */
    readonly duration: number;
    readonly requests: { readonly total: number; readonly average: number };
    /** Milliseconds. */
    readonly latency: {
      readonly p50: number;
      readonly p90: number;
      readonly p99: number;
      readonly max: number;
    };
    readonly statusCodeStats: Readonly<Record<string, { readonly count: number }>>;
  }
  export default function autocannon(options: Options): Promise<Result>;
}
