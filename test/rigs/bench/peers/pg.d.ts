declare module 'pg' {
  interface Query {
    readonly name?: string;
    readonly text: string;
    readonly values?: readonly unknown[];
  }
  interface Result<Row> {
    readonly rows: readonly Row[];
    readonly rowCount: number | null;
  }
  interface Connection {
    readonly host: string;
    readonly user: string;
    readonly database: string;
  }
  interface Queryable {
    query<Row>(query: string | Query, values?: readonly unknown[]): Promise<Result<Row>>;
  }
  export interface PoolClient extends Queryable {
    release(): void;
  }
  export interface Pool extends Queryable {
    connect(): Promise<PoolClient>;
  }
  export interface Client extends Queryable {
    connect(): Promise<void>;
    end(): Promise<void>;
  }
  export const Pool: new (connection: Connection) => Pool;
  export const Client: new (connection: Connection) => Client;
}
