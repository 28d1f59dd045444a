type ClientFieldInfo = {
  /** On screens and in the history. */
  label: string
  /** In CSV files, where it differs from the label. */
  csvHeader?: string
  choices?: Readonly<Record<string, string>>
  richText?: true
}

/** The fields of a client that people fill in, in the order of the form and of the export. */
export const clientFields = {
  name: { label: 'Name' },
  email: { label: 'Email' },
  phone: { label: 'Phone' },
  location: { label: 'Location' },
  profession: { label: 'Profession' },
  timezone: { label: 'Timezone', csvHeader: 'Time zone' },
  program: { label: 'Program type', csvHeader: 'Program' },
  status: {
    label: 'Status',
    choices: { active: 'Active', inactive: 'Inactive', completed: 'Completed', pending: 'Pending' },
  },
  progress: { label: 'Progress' },
  goals: { label: 'Client Goals', csvHeader: 'Goals', richText: true },
  notes: { label: 'Session Notes & Observations', csvHeader: 'Notes', richText: true },
  futureGoals: { label: 'Future Goals', csvHeader: 'Future goals', richText: true },
  frustrations: { label: 'Frustrations', richText: true },
  fears: { label: 'Fears', richText: true },
  failures: { label: 'Past Failures', csvHeader: 'Past failures', richText: true },
} as const satisfies Record<string, ClientFieldInfo>

export type ClientField = keyof typeof clientFields
export type ClientStatus = keyof typeof clientFields.status.choices
export const clientFieldNames = Object.keys(clientFields) as ClientField[]
export const clientStatuses = Object.keys(clientFields.status.choices) as ClientStatus[]

export const interactionFields = {
  name: { label: 'Title' },
  interactionDate: { label: 'Date' },
  content: { label: 'Content' },
} as const

export function csvHeader(field: ClientField): string {
  const info: ClientFieldInfo = clientFields[field]
  return info.csvHeader ?? info.label
}

/** The column of `client` that stores a field. */
export const columnName = (field: ClientField): string =>
  field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
