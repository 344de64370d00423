/** The numbers that a chart shows under one name. */
export interface Series {
  readonly name: string;
  readonly values: readonly number[];
}
