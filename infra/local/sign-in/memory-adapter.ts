import type { AdapterFactory, AdapterPayload } from 'oidc-provider';

interface Row {
  readonly payload: AdapterPayload;
  readonly expiresAtMs: number;
}

/** Returns an adapter that keeps the rows of one provider in memory until they expire. */
export function memoryAdapter(): AdapterFactory {
  const rows = new Map<string, Row>();
  const find = (key: string): AdapterPayload | undefined => {
    const row = rows.get(key);
    if (row && row.expiresAtMs > Date.now()) return row.payload;
    rows.delete(key);
    return undefined;
  };
  return (model) => {
    const keyOf = (id: string) => `${model} ${id}`;
    const findWhere = (name: 'uid' | 'userCode', value: string) => {
      const found = [...rows].find(
        ([key, { payload }]) => key.startsWith(keyOf('')) && payload[name] === value,
      );
      return found && find(found[0]);
    };
    return {
      async upsert(id, payload, expiresIn = 0) {
        rows.set(keyOf(id), { payload, expiresAtMs: Date.now() + expiresIn * 1000 });
      },
      find: async (id) => find(keyOf(id)),
      findByUid: async (uid) => findWhere('uid', uid),
      findByUserCode: async (userCode) => findWhere('userCode', userCode),
      async consume(id) {
        const payload = find(keyOf(id));
        if (payload) payload.consumed = Math.floor(Date.now() / 1000);
      },
      async destroy(id) {
        rows.delete(keyOf(id));
      },
      async revokeByGrantId(grantId) {
        for (const [key, { payload }] of rows) if (payload.grantId === grantId) rows.delete(key);
      },
    };
  };
}
