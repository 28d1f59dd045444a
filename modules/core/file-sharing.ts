import type { Ctx, PermissionName, WriteCtx } from '#tenants/context.ts'

/** Files and links that a coach shares with clients, for modules that work with and without them. */
export type FileSharing = {
  /** Needed to read their names. */
  permission: PermissionName
  /**
   * Those that a client can be given, the newest first, at most `rows`: by a text of their name, or those of `ids`.
   */
  listChoices: (
    ctx: Ctx,
    options: { clientId: number; rows: number } & ({ q: string } | { ids: number[] }),
  ) => Promise<SharedFileChoice[]>
  /**
   * Lets a client open each of them. A share that they have already keeps its limits. Throws not_found for what isn't
   * there, is in the trash, or belongs to another client.
   */
  share: (ctx: WriteCtx, options: { clientId: number; ids: number[] }) => Promise<void>
  /**
   * Finds files by id, for the coach or for the client in the portal: those that the caller may see. In the portal these
   * are the ones that the client can open.
   */
  find: (ctx: Ctx, options: { clientId: number; ids: number[] }) => Promise<SharedFile[]>
}
/** `details`: such as its type and size. */
export type SharedFileChoice = { id: number; name: string; details: string }
/** `isOpen`: the client can open it now. `to`: the page that shows it to the caller. */
export type SharedFile = SharedFileChoice & { isOpen: boolean; to: string }
