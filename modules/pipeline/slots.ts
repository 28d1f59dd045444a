/** Where one may go from a prospect, shown in its dialog. A contribution to `prospect.menu` answers a list of them. */
export type ProspectPlace = {
  label: string
  /** `{id}` in it becomes the prospect's id. */
  to: string
}
