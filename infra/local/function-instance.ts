import { type ChildProcess, spawn } from 'node:child_process';
import type { Duplex } from 'node:stream';
import { encodeFrame, type Frame, FrameReader } from './frames.ts';
import type { FunctionDefinition } from './functions.ts';
import type { InstanceMessage, InvocationRequest } from './instance-protocol.ts';

/** How an invocation ended. */
export type Outcome =
  | { readonly kind: 'returned'; readonly result: unknown; readonly body: Buffer | undefined }
  | { readonly kind: 'failed'; readonly reason: FailureReason };

/** `unable`: the bundle could not be loaded; `died`: the process ended, for example by a signal. */
export type FailureReason = 'threw' | 'timeout' | 'died' | 'unable';

export interface InstanceOptions {
  readonly definition: FunctionDefinition;
  /** The program that runs in the child process. */
  readonly entryFile: string;
  /** All that the process finds in its environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly logDescriptor: number;
  /** The process can take an invocation now, for the first time. */
  readonly onReady: (instance: FunctionInstance) => void;
  /** The process is gone. */
  readonly onEnd: (instance: FunctionInstance, how: string) => void;
}

/** One child process that runs a function, one invocation at a time. */
export class FunctionInstance {
  readonly #child: ChildProcess;
  readonly #pipe: Duplex;
  readonly #timeoutMs: number;
  #reader = new FrameReader<InstanceMessage>();
  #answer: ((outcome: Outcome) => void) | undefined;
  #endReason: FailureReason = 'died';
  #wasReady = false;

  constructor({ definition, entryFile, environment, logDescriptor, onReady, onEnd }: InstanceOptions) {
    this.#timeoutMs = definition.timeoutMs;
    // As in Lambda's Node runtime: nine tenths of the declared memory for the heap.
    const heapMb = Math.floor(definition.memoryMb * 0.9);
    this.#child = spawn(
      process.execPath,
      [
        `--max-old-space-size=${heapMb}`,
        '--enable-source-maps',
        entryFile,
        definition.file,
        definition.exportName,
      ],
      { stdio: ['ignore', logDescriptor, logDescriptor, 'pipe'], env: { ...environment }, cwd: undefined },
    );
    this.#pipe = this.#child.stdio[3] as Duplex;
    this.#pipe.on('data', (chunk: Buffer) => {
      for (const frame of this.#reader.push(chunk)) this.#receive(frame, () => onReady(this));
    });
    // A pipe that breaks is the end of the process, which is told below.
    this.#pipe.on('error', () => {});
    const ended = (how: string) => {
      onEnd(this, how);
      this.#settle({ kind: 'failed', reason: this.#endReason });
    };
    this.#child.once('error', (error) => ended(error.message));
    this.#child.once('exit', (code, signal) => ended(signal ? `signal: ${signal}` : `exit status ${code}`));
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get busy(): boolean {
    return this.#answer !== undefined;
  }

  /** Has it been killed? Its end is known a moment later. */
  get isEnding(): boolean {
    return this.#child.killed;
  }

  /** Did the process ever load its bundle? */
  get wasReady(): boolean {
    return this.#wasReady;
  }

  /** Runs one invocation; past the declared timeout the process is killed, as Lambda does it. */
  invoke(request: Omit<InvocationRequest, 'deadlineMs'>, event: unknown): Promise<Outcome> {
    const deadlineMs = Date.now() + this.#timeoutMs;
    return new Promise((done) => {
      const timer = setTimeout(() => {
        this.#endReason = 'timeout';
        this.kill();
      }, this.#timeoutMs);
      this.#answer = (outcome) => {
        clearTimeout(timer);
        done(outcome);
      };
      this.#pipe.write(encodeFrame({ ...request, deadlineMs }, JSON.stringify(event)));
    });
  }

  /** Ends the process at once, whatever it is doing. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }

  #receive({ head, body }: Frame<InstanceMessage>, onReady: () => void): void {
    if (head.type === 'ready') {
      this.#wasReady = true;
      onReady();
    } else if (head.type === 'unable') {
      this.#endReason = 'unable';
    } else if (head.type === 'threw') {
      this.#settle({ kind: 'failed', reason: 'threw' });
    } else {
      this.#settle({ kind: 'returned', result: head.result, body: head.hasBody ? body : undefined });
    }
  }

  #settle(outcome: Outcome): void {
    const answer = this.#answer;
    this.#answer = undefined;
    answer?.(outcome);
  }
}
