/** The form that undoes an import, for a toast. */
export const undoAction = (id: number) => ({
  label: 'Undo',
  to: '/clients/import',
  fields: { intent: 'undo', id: String(id) },
})
