/** A schema of the contract. It is a [Standard Schema](https://standardschema.dev), so it works wherever those are accepted. */
export interface ContractSchema<Value> {
  /** Returns a copy of a valid value, with the fields that the contract knows. @throws Error with all errors */
  readonly parse: (value: unknown) => Value;
  /** Returns the same as `parse`, or the error in place of throwing it. */
  readonly safeParse: (
    value: unknown,
  ) => { readonly success: true; readonly data: Value } | { readonly success: false; readonly error: Error };
  /** What makes it a Standard Schema. */
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => CheckedValue<Value> | Promise<CheckedValue<Value>>;
    readonly types?: { readonly input: unknown; readonly output: Value } | undefined;
  };
}

type CheckedValue<Value> =
  | { readonly value: Value; readonly issues?: undefined }
  | {
      readonly issues: readonly {
        readonly message: string;
        readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
      }[];
    };
