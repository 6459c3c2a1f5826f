/** Known values of an enum to which the API may add values. */
export type Known<Value> = Value extends string ? (string extends Value ? never : Value) : never;
