/** A table whose rows belong to a client. */
export type ClientRecords = {
  table: string
  /** The column with the client's id. Default: `client_id`. */
  column?: string
  /** SQL: the rows that have a client in that column. Default: all. */
  where?: string
  /** One and several of them, as coaches read it. Without it the rows are parts of others, and are not counted. */
  label?: [one: string, many: string]
  /**
   * Columns that refer to rows of other such tables, by table. Where a merge is undone, what was added to these rows
   * since goes back with them.
   */
  parents?: Record<string, string>
  /**
   * Default: `move`, to the client who is kept. `keep-one`: only if that one has none, such as a setting of the client.
   * `stay`: with the other one, in the trash.
   */
  onMerge?: 'move' | 'keep-one' | 'stay' | 'delete'
}
