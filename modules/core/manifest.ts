import type { EntitySchema } from '@mikro-orm/core'
import type { NamedMigration } from '#db/orm.ts'
import type { Query } from '#db/read-pool.ts'
import type { Ctx, PermissionName, WriteCtx } from '#tenants/context.ts'
import type { Subscriber } from '#tenants/extensions.ts'
import type { Operation } from '#tenants/api/operation.ts'
import type { Platform, TenantTransaction } from '#tenants/platform.ts'

/**
 * What a module registers with the house: this is the whole contract. A module is a folder in `modules/` and a line in
 * `registry.ts`; the rest of the house knows it through its manifest alone, and other modules through its `index.ts`.
 */
export type ModuleManifest = {
  /** The folder's name. Permissions (`id:`), migrations (`id/`) and queues (`id.`) begin with it. */
  id: string
  /** Modules that must be registered, before this one. */
  dependsOn?: string[]
  /** Every tenant table of the module, with its row level security. */
  entities: EntitySchema[]
  migrations: NamedMigration[]
  /**
   * Each permission with a sentence that says what it allows. Services ask for them by `authorize`; a coach holds all of
   * them in their own practice.
   */
  permissions: Record<PermissionName, string>
  /** Pages, as files in the module's `routes/`. */
  routes?: PageRoute[]
  /** Calls of the HTTP API. */
  operations?: Operation[]
  /** Items of the sidebar. */
  nav?: NavItem[]
  /** This module's part of the practice's figures: a query with one row and one column, `value`. */
  figures?: Partial<Record<FigureName, (ctx: Ctx) => Query>>
  /** What the search box and the command palette find. */
  search?: SearchProvider[]
  /** The kinds of record that people delete, and whose history they may read. */
  records?: RecordKind[]
  /** Things that this module shows in other modules' or the shell's screens. */
  contributions?: Contribution[]
  /** Reactions to events of other modules. */
  subscribers?: Subscriber[]
  jobs?: Job[]
  /** Rows that a new account begins with, made in the account's own transaction. */
  newAccount?: (tx: TenantTransaction, coachId: number) => Promise<void>
  /** The module's part of the demo practice, through its own services. */
  seed?: (ctx: Ctx, practice: DemoPractice) => Promise<void>
}

export type PageRoute = {
  /** In the address, such as `clients/:id`. */
  path: string
  /** Inside the module's folder, such as `routes/client.tsx`. */
  file: string
  /** `app` (default): inside the shell, signed in. `public`: for anybody, in a plain frame. `resource`: no page, such as a download. */
  layout?: 'app' | 'public' | 'resource'
  /** Takes files: the page itself refuses what is too large. Every other page takes forms of at most 1 MB. */
  uploads?: boolean
}

export type NavItem = {
  label: string
  to: string
  /** A name of `app/shell/nav-icons.ts`. */
  icon: string
  section: 'main' | 'lower'
  order: number
  permission?: PermissionName
  /** A number beside the label; 0 shows nothing. */
  badge?: (ctx: Ctx) => Promise<number>
}

/** The figures of GET /api/dashboard/stats; `monthlyRevenue` in cents. What no module counts is 0. */
export type FigureName = 'totalClients' | 'sessionsThisMonth' | 'monthlyRevenue' | 'activeProspects'

export type SearchProvider = {
  /** Shown as the badge of each hit. */
  type: string
  permission?: PermissionName
  /**
   * Of the words in a record instead of its name: asked by itself, when the names that hold the term leave room. The `subtitle` of its
   * hits is the line of light markup that holds it (`wordsHold`, `lineThatHolds`).
   */
  inWords?: true
  /**
   * A query that answers SearchHits: at most `limit` for a term of more than two characters, best first. Where the table
   * has a column made by `searched`, `holds` compares it.
   */
  query: (term: string, limit: number, now: Date) => Query
}
export type SearchHit = { id: number; title: string; subtitle: string | null; to: string }

/**
 * A kind of record that can be deleted and restored, and that has a history. Its table has `created_at`, `updated_at` and
 * `deleted_at`, and the trigger that `withHistory` (db/columns.ts) makes. Deleting sets `deleted_at`; 30 days later the
 * row is erased by a job of the house, and its history with it.
 */
export type RecordKind = {
  /** The table, and the kind's name in addresses: `client`. */
  kind: string
  /** One of them, in the coach's words: `Client`. */
  label: string
  permission: { read: PermissionName; write: PermissionName }
  /** SQL over the row `r`: what the record is called. */
  title: string
  /** SQL over the row `r`: the address of the page that shows it. */
  to: string
  /** SQL over the row `r`: whether it is hidden with something else that lies in the trash, and so not listed by itself. */
  hidden?: string
  /** The columns that the history tells about, by their labels; `of` names the kind that an id points to, `words` what the values are called. */
  fields: Record<string, FieldLabel>
  restore: (ctx: WriteCtx, id: number) => Promise<unknown>
  /** What else is to do when the record goes for good, in the same transaction. */
  erased?: (ctx: ErasingCtx, gone: Erased) => Promise<void>
  /** A sentence for whoever erases one: what that is, where it isn't plain. */
  alsoErased?: string
}
/** A record that is gone for good, and when it had come into the trash. */
export type Erased = { id: number; deletedAt: Date }
export type FieldLabel =
  | string
  | { label: string; as: 'cents' | 'dollars' | 'time' | 'markup' }
  | { label: string; words: Record<string, string> }
  | { label: string; of: string }
export type ErasingCtx = TenantTransaction & { platform: Platform; coachId: number }

/** The places that take contributions. */
export type SlotName =
  | 'dashboard.stat'
  | 'dashboard.main'
  | 'dashboard.side'
  | 'dashboard.action'
  /** What a new coach does first: `load` answers a FirstStep. Shown until the one that decides is done. */
  | 'dashboard.step'
  /** `params` are those of the address. */
  | 'settings.pane'
  /** A card of the client's page; `params.id` is the client. */
  | 'client.card'
  /** A dialog over the client's page or the list, that the address asks for: `params` are those of the address, `id` the client; null when it is none. */
  | 'client.dialog'
  /** What happened with a client: TimelineEntry[] (see modules/crm/slots.ts); `params.id` is the client, `params.rows` how many of each kind. */
  | 'client.timeline'
  /** What the client list knows of others: ClientFacts of each of `params.ids` (see modules/crm/slots.ts). */
  | 'client.row'
  /** What a new client may buy at once: ProductChoice[] (see modules/crm/slots.ts). */
  | 'client.product'
  /** Where one may go from a client: ClientPlace[] (see modules/crm/slots.ts). */
  | 'client.menu'
  /** Where one may go from a prospect: ProspectPlace[] (see modules/pipeline/slots.ts). */
  | 'prospect.menu'

export type FirstStep = {
  title: string
  text: string
  /** Once done it stays done, also when what was made is archived or deleted. */
  done: boolean
  to: string
  /** On the button. */
  call: string
  /** With this step done a coach is new no longer. */
  decides?: boolean
}

export type Contribution = {
  slot: SlotName
  /** A file in the module's `widgets/`, without `.tsx`; its default export gets `{ data }`. Left out where the place itself shows the data. */
  widget?: string
  order: number
  permission?: PermissionName
  /** What the widget shows. `params` are those of the page that holds the slot. */
  load: (ctx: Ctx, params: Record<string, string | undefined>) => Promise<unknown>
}

export type Job = {
  /** The queue: `<module>.<what>`. */
  name: string
  /** A cron expression (UTC), for a job that runs by the clock. */
  every?: string
  /** Runs once for each job; retried with backoff when it throws, so it must be idempotent. */
  run: (platform: Platform, data: JobData) => Promise<void>
}
export type JobData = Record<string, unknown>

export type DemoPractice = { which: 'first' | 'second'; now: Date }

/** States a manifest; the type is checked here, once. */
export function defineModule(manifest: ModuleManifest): ModuleManifest {
  return manifest
}
