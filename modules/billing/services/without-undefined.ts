/** The properties that were sent: MikroORM would write undefined as null. */
export function withoutUndefined<T extends object>(input: T): T {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as T
}
