/** A link in the dialog of a prospect. A contribution to `prospect.menu` returns a list of them. */
export type ProspectLink = {
  label: string
  /** `{id}` is replaced with the prospect's id. */
  to: string
}
