/** The values that this package knows of a list that may grow. */
export type Known<Value> = Value extends string ? (string extends Value ? never : Value) : never;
