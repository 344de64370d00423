export interface Series {
  readonly name: string;
  readonly values: readonly number[];
}
