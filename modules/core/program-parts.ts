import type { Ctx, PermissionName, WriteCtx } from '#tenants/context.ts'

/** A kind of record that an item of a client's program can consist of, for the module that has programs. */
export type ProgramPart = {
  kind: ProgramPartKind
  /** Singular: 'Form'. */
  label: string
  /** Whether an item counts as done by itself, by `load`. Otherwise it isn't counted. */
  isCounted: boolean
  /** Records to choose from, by name; missing where an item is its title alone. */
  listChoices?: (ctx: Ctx) => Promise<ProgramChoice[]>
  /** Throws not_found for what is no choice. */
  getChoice?: (ctx: Ctx, id: number) => Promise<unknown>
  /** Whether an item needs one of them. */
  needsChoice?: true
  /** An API key itself needs it to choose one, and to assign a program that gives what was chosen. */
  choicePermission?: PermissionName
  /**
   * Gives the client what the item is about, and returns the record's id. Missing where there is nothing to give. Throws
   * an AppError if that is not possible any more.
   */
  start?: (ctx: WriteCtx, item: NewProgramRecord) => Promise<number>
  /** Moves the due dates of the records that are still open. */
  reschedule?: (ctx: WriteCtx, dates: { recordId: number; dueDate: string }[]) => Promise<void>
  /** Loads the states of items by id, in the order of the programs, for the coach or for the client in the portal. */
  load: (ctx: Ctx, items: ProgramRecordItem[]) => Promise<Record<number, ProgramRecordState>>
}
export type ProgramPartKind = 'task' | 'form' | 'session' | 'resource'
export type ProgramChoice = { id: number; name: string }
/** `dueDate`: '2026-03-14'. */
export type NewProgramRecord = {
  clientId: number
  title: string
  owner: 'coach' | 'client'
  dueDate: string | null
  choiceId: number | null
}
/** `since`: when the program began. */
export type ProgramRecordItem = {
  id: number
  programId: number
  clientId: number
  recordId: number | null
  choiceId: number | null
  since: Date
}
/**
 * `to`: the page that shows it. `toggle`: the action that completes or reopens it, with the intents `complete` and
 * `reopen` and the id of the record.
 */
export type ProgramRecordState = { doneAt: string | null; to: string | null; toggle: string | null }
