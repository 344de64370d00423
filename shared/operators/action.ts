import type * as v from 'valibot';
import type { CommandRun } from '../audit/recorder.ts';
import type { ConsoleAccess, Workplace } from './deployment.ts';

/** The schema of a request: documented fields, and no others. */
export type InputSchema = v.StrictObjectSchema<v.ObjectEntries, undefined>;

/** What a change may use, and who makes it. */
export interface ActionContext extends Workplace {
  /** The ARN of the caller, which API Gateway has authenticated. */
  readonly actor: string;
  readonly run: CommandRun;
  /** The parameters in the path of the request. */
  readonly path: Readonly<Record<string, string | undefined>>;
  /** Undefined if the stage has no account console. */
  readonly console: () => ConsoleAccess | undefined;
}

/** A stored request that another person must approve. */
export interface RequestedChange {
  readonly id: string;
  /** ISO time. */
  readonly expiresAt: string;
  /** Whether the same person had already requested the same change. */
  readonly existed: boolean;
}

/** The outcome of a request to the operator API. */
export type ActionOutcome<R, W = never> =
  | { readonly kind: 'done'; readonly result: R }
  /** Nothing was changed yet: a second person must approve. */
  | { readonly kind: 'requested'; readonly requested: RequestedChange }
  /** The change takes longer than a request may. It continues with `work`, which is not stored. */
  | { readonly kind: 'accepted'; readonly work: W };

export const done = <R>(result: R): ActionOutcome<R> => ({ kind: 'done', result });

export const accepted = <W>(work: W): { readonly kind: 'accepted'; readonly work: W } => ({
  kind: 'accepted',
  work,
});

/**
 * Stores how far a change in the background has progressed. Throws when the function's time is nearly used up: the
 * change is then repeated by another invocation.
 */
export type Report = (progress: unknown) => void;

/** One change that operators can make. */
export interface Action<S extends InputSchema, R, W = never> {
  readonly body: S;
  readonly run: (input: v.InferOutput<S>, context: ActionContext) => Promise<ActionOutcome<R, W>>;
  /** Makes a change that was accepted. It must be possible to repeat it after an interruption. */
  readonly inBackground?: (work: W, context: ActionContext, report: Report) => Promise<R>;
}

/** Declares an action. */
export const action = <S extends InputSchema, R, W = never>(declared: Action<S, R, W>) => declared;
