import type { AlertView } from '../../alerts/console/views.ts';
import type { Environment } from '../../core/environment.ts';
import type { IdType } from '../../core/id-types.ts';
import type { RegistryStatus } from '../../registries/console/views.ts';

/** GET /home */
export interface HomeView {
  /** The steps to the first live request, in order, including those that are done. */
  readonly steps: readonly { readonly id: HomeStep; readonly is_done: boolean }[];
  /** In credits. */
  readonly wallets: Readonly<Record<Environment, { readonly available: number; readonly held: number }>>;
  /** Of the live wallet, in credits. Null until 7 days after the first use. */
  readonly daily_use: number | null;
  /**
   * The day (Africa/Lagos) on which the live wallet will be empty at the current rate of use. Null if it is not known,
   * or more than a year away.
   */
  readonly runs_out_on: string | null;
  /** The three newest alerts of the last seven days, newest first. */
  readonly alerts: readonly Pick<AlertView, 'id' | 'at' | 'title'>[];
  /** The registries that live requests use. */
  readonly registries: readonly {
    readonly id_type: IdType;
    readonly status: RegistryStatus;
  }[];
  /** Live requests by day (Africa/Lagos) in the last 15 days, oldest first, as Usage and Requests count them. */
  readonly requests: readonly { readonly day: string; readonly count: number }[];
}

export type HomeStep =
  | 'test-credits'
  | 'test-key'
  | 'first-request'
  | 'profile'
  | 'submit'
  | 'approval'
  | 'service'
  | 'top-up'
  | 'live-key';
