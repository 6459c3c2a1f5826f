/** The known values of an extensible list of values. */
export type Known<Value> = Value extends string ? (string extends Value ? never : Value) : never;
