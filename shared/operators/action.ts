import type * as v from 'valibot';
import type { CommandRun } from '../audit/recorder.ts';
import type { ConsoleAccess, Workplace } from './deployment.ts';

export type InputSchema = v.StrictObjectSchema<v.ObjectEntries, undefined>;

export interface ActionContext extends Workplace {
  /** The ARN that API Gateway has authenticated. */
  readonly actor: string;
  readonly run: CommandRun;
  readonly path: Readonly<Record<string, string | undefined>>;
  readonly console: () => ConsoleAccess | undefined;
}

export interface RequestedChange {
  readonly id: string;
  /** ISO time. */
  readonly expiresAt: string;
  readonly existed: boolean;
}

export type ActionOutcome<R, W = never> =
  | { readonly kind: 'done'; readonly result: R }
  /** A second person must approve. */
  | { readonly kind: 'requested'; readonly requested: RequestedChange }
  /** Continues with `work`, which is not stored. */
  | { readonly kind: 'accepted'; readonly work: W };

export const done = <R>(result: R): ActionOutcome<R> => ({ kind: 'done', result });

export const accepted = <W>(work: W): { readonly kind: 'accepted'; readonly work: W } => ({
  kind: 'accepted',
  work,
});

/** Throws when the function's time is nearly used up: another invocation repeats the change. */
export type Report = (progress: unknown) => void;

/** One change that operators can make. */
export interface Action<S extends InputSchema, R, W = never> {
  readonly body: S;
  readonly run: (input: v.InferOutput<S>, context: ActionContext) => Promise<ActionOutcome<R, W>>;
  /** Can be repeated after an interruption. */
  readonly inBackground?: (work: W, context: ActionContext, report: Report) => Promise<R>;
}

/** Declares an action. */
export const action = <S extends InputSchema, R, W = never>(declared: Action<S, R, W>) => declared;
