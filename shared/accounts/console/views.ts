import type { Environment } from '../../core/environment.ts';
import type { IdType } from '../../core/id-types.ts';

export interface OrganisationName {
  readonly id: string;
  readonly name: string;
}

/** SUBMITTED: pending, and waiting for the operator. */
export type OrganisationStatus = 'PENDING' | 'SUBMITTED' | 'APPROVED' | 'SUSPENDED';

/** GET /keys */
export interface KeysView {
  /** Newest first, from both environments. */
  readonly keys: readonly KeyView[];
  /** All scopes that a key may have. */
  readonly scopes: readonly string[];
}

export interface KeyView {
  /** The start of the key's hash. */
  readonly id: string;
  readonly env: Environment;
  readonly label: string;
  /** The last four characters. */
  readonly ending: string;
  /** `expiring`: replaced by a rotation, but valid until `expires_at`. */
  readonly status: 'active' | 'expiring' | 'expired' | 'revoked';
  readonly created_at: string;
  /** The name of the member who created it. Null if an operator did. */
  readonly created_by: string | null;
  readonly last_used_at: string | null;
  readonly last_network: string | null;
  readonly expires_at: string | null;
  /** Null: all scopes except payments. */
  readonly scopes: readonly string[] | null;
  /** Null: from anywhere. */
  readonly addresses: readonly string[] | null;
}

/** POST /keys and POST /keys/{id}/rotate. `text` is shown only once, because it is not stored. */
export interface NewKeyView {
  readonly key: KeyView;
  readonly text: string;
}

/** GET /services */
export interface ServicesView {
  readonly services: readonly ServiceView[];
}

/** PUT /services/{service} also returns this. */
export interface ServiceView {
  readonly name: string;
  readonly id_type: IdType;
  /** Whether the service is enabled for live keys. Test keys can use every service. */
  readonly is_enabled: boolean;
  readonly price_credits: number;
  /** The fields of the record, as in the documentation. Empty for a slip, which is a PDF. */
  readonly returns: readonly string[];
}
