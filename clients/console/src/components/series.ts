/** Numbers that a picture shows together, under one name. */
export interface Series {
  readonly name: string;
  /** One for each label of the picture. */
  readonly values: readonly number[];
}
