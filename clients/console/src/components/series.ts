/** The numbers that a chart shows under one name. */
export interface Series {
  readonly name: string;
  /** One number for each label of the chart. */
  readonly values: readonly number[];
}
