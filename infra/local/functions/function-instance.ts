import { type ChildProcess, spawn } from 'node:child_process';
import type { Duplex } from 'node:stream';
import type { FunctionDefinition } from './definitions.ts';
import {
  encodeMessage,
  type InstanceMessage,
  type InvocationRequest,
  type Message,
  MessageReader,
} from './instance-protocol.ts';

/** `payload` lacks its string body. */
export type InvocationResult =
  | { readonly kind: 'returned'; readonly payload: unknown; readonly body: Buffer | undefined }
  | { readonly kind: 'failed'; readonly reason: FailureReason };

/**
 * `exited`: for example by a signal. `not-started`: no instance was free in time. `throttled`: the reserved concurrency
 * was in use.
 */
type FailureReason = 'threw' | 'timeout' | 'exited' | 'load-failed' | 'not-started' | 'throttled';

interface InstanceOptions {
  readonly definition: FunctionDefinition;
  /** instance-main.ts, bundled. */
  readonly entryFile: string;
  /** All environment variables of the process. */
  readonly environment: Readonly<Record<string, string>>;
  readonly logDescriptor: number;
  readonly onReady: () => void;
  /** Called when the process has ended. */
  readonly onExit: (how: string) => void;
}

/** One child process, one invocation at a time. */
export class FunctionInstance {
  readonly #child: ChildProcess;
  readonly #pipe: Duplex;
  readonly #timeoutMs: number;
  readonly #onReady: () => void;
  #finish: ((result: InvocationResult) => void) | undefined;
  #exitReason: FailureReason = 'exited';
  #wasReady = false;

  constructor({ definition, entryFile, environment, logDescriptor, onReady, onExit }: InstanceOptions) {
    this.#timeoutMs = definition.timeoutMs;
    this.#onReady = onReady;
    // As in Lambda's Node runtime.
    const heapMb = Math.floor(definition.memoryMb * 0.9);
    const options = [`--max-old-space-size=${heapMb}`, '--enable-source-maps'];
    this.#child = spawn(process.execPath, [...options, entryFile, definition.file, definition.exportName], {
      stdio: ['ignore', logDescriptor, logDescriptor, 'pipe'],
      env: { ...environment },
    });
    this.#pipe = this.#child.stdio[3] as Duplex;
    const reader = new MessageReader<InstanceMessage>();
    this.#pipe.on('data', (chunk: Buffer) => {
      for (const message of reader.push(chunk)) this.#receive(message);
    });
    // `exit` reports that the process ended.
    this.#pipe.on('error', () => {});
    const exited = (how: string) => {
      onExit(how);
      this.#settle({ kind: 'failed', reason: this.#exitReason });
    };
    this.#child.once('error', (error) => exited(error.message));
    this.#child.once('exit', (code, signal) => exited(signal ? `signal: ${signal}` : `exit status ${code}`));
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get busy(): boolean {
    return this.#finish !== undefined;
  }

  /** `onExit` is called a moment later. */
  get isEnding(): boolean {
    return this.#child.killed;
  }

  /** Whether the process has loaded its bundle. */
  get wasReady(): boolean {
    return this.#wasReady;
  }

  /** As in Lambda, a process that exceeds its timeout is killed. */
  invoke(request: Omit<InvocationRequest, 'deadlineMs'>, event: unknown): Promise<InvocationResult> {
    const deadlineMs = Date.now() + this.#timeoutMs;
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#exitReason = 'timeout';
        this.kill();
      }, this.#timeoutMs);
      this.#finish = (result) => {
        clearTimeout(timer);
        resolve(result);
      };
      this.#pipe.write(encodeMessage({ ...request, deadlineMs }, JSON.stringify(event)));
    });
  }

  /** Kills the process with SIGKILL. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }

  #receive({ header, body }: Message<InstanceMessage>): void {
    if (header.type === 'ready') {
      this.#wasReady = true;
      this.#onReady();
    } else if (header.type === 'load-failed') {
      this.#exitReason = 'load-failed';
    } else if (header.type === 'threw') {
      this.#settle({ kind: 'failed', reason: 'threw' });
    } else {
      this.#settle({ kind: 'returned', payload: header.payload, body: header.hasBody ? body : undefined });
    }
  }

  #settle(result: InvocationResult): void {
    const finish = this.#finish;
    this.#finish = undefined;
    finish?.(result);
  }
}
