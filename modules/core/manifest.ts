import type { EntitySchema } from '@mikro-orm/core'
import type { NamedMigration } from '#db/orm.ts'
import type { Query } from '#db/read-pool.ts'
import type { Operation } from '#tenants/api/operation.ts'
import type { Ctx, PermissionName, WriteCtx } from '#tenants/context.ts'
import type { PlanName } from '#tenants/accounts/plans.ts'
import type { Platform, TenantTransaction, NewAccountStep } from '#tenants/platform.ts'
import type { Subscriber } from './events.ts'
import type { HookImplementation } from './hooks.ts'

/**
 * Everything that a module registers. A module is a folder in `modules/` and a line in `registry.ts`; the platform knows it
 * through its manifest alone, other modules through its `index.ts`.
 */
export type ModuleManifest = {
  /** The folder's name. Permissions (`id:`), migrations (`id/`), queues and hooks (`id.`) begin with it. */
  id: string
  /** Modules that must be registered before this one. */
  dependsOn?: string[]
  /** Every tenant table of the module, with its row level security. */
  entities: EntitySchema[]
  migrations: NamedMigration[]
  /** Each permission with a sentence that says what it allows. Services check them with `authorize`. */
  permissions: Record<PermissionName, string>
  /** Pages: files in the module's `routes/`. */
  routes?: PageRoute[]
  /** Operations of the HTTP API. */
  operations?: Operation[]
  /** Items of the sidebar. */
  nav?: NavItem[]
  /** This module's part of the dashboard's counts. */
  counts?: Partial<Record<CountName, CountQuery>>
  /** A query of one row, whose columns are part of the API's user record, such as `googleConnected`. */
  userColumns?: (ctx: { coachId: number }) => Query
  /** Sources of the search box and the command palette. */
  search?: SearchProvider[]
  /** The kinds of record that have a trash and a history. */
  recordKinds?: RecordKind[]
  /** Widgets and data for screens of other modules or of the shell. */
  contributions?: Contribution[]
  /** Reactions to events of other modules, after the commit. */
  subscribers?: Subscriber[]
  /** Parts in changes of other modules, inside their transaction. */
  hooks?: HookImplementation[]
  jobs?: Job[]
  /** The prospects that this module keeps; at most one module does. */
  prospects?: ProspectDirectory
  /** A part in erasing a coach: in its transaction, before their rows are deleted. */
  eraseAccount?: (ctx: EraseCtx) => Promise<void>
  /** Creates the rows that a new account starts with, in the account's transaction. */
  newAccount?: NewAccountStep
  /** Fills the demo practice, through the module's own services. */
  seed?: (ctx: Ctx, practice: DemoPractice) => Promise<void>
}

export type PageRoute = {
  /** The URL's path, such as `clients/:id`. */
  path: string
  /** Inside the module's folder, such as `routes/client.tsx`. */
  file: string
  /** `app` (default): inside the shell, signed in. `public`: for everybody, in a plain layout. `resource`: no page, such as a download. */
  layout?: 'app' | 'public' | 'resource'
  /** Accepts file uploads and limits their size itself. Every other page accepts forms of at most 1 MB. */
  uploads?: boolean
}

export type NavItem = {
  label: string
  to: string
  /** Other paths on which the item is marked as current. */
  otherPaths?: string[]
  /** A name of `app/shell/nav-icons.ts`. */
  icon: string
  section: 'main' | 'lower'
  order: number
  permission?: PermissionName
  /** A number beside the label; 0 shows nothing. */
  badge?: (ctx: Ctx) => Promise<number>
}

/** The counts of GET /api/dashboard/stats; `monthlyRevenue` in cents. */
export type CountName = 'totalClients' | 'sessionsThisMonth' | 'monthlyRevenue' | 'activeProspects'
/** A query with one row and one column, `value`. */
export type CountQuery = (ctx: Ctx) => Query

export type SearchProvider = {
  /** Shown as the badge of each hit. */
  type: string
  permission?: PermissionName
  /**
   * Searches the text in records instead of their names; runs when the names leave room. The `subtitle` of its hits is the
   * line of markup that matches.
   */
  searchesContent?: true
  /** Selects SearchHits, best first. Use the search helpers of `db/` for columns made by them. */
  query: (search: SearchQuery) => Query
}
/** `term` has more than two characters; return at most `limit` rows. */
export type SearchQuery = { coachId: number; term: string; limit: number; now: Date }
/** `archived`: ranked after all others. */
export type SearchHit = { id: number; title: string; subtitle: string | null; to: string; archived?: boolean }

/**
 * A kind of record with a trash and a history. Its table has `created_at`, `updated_at` and `deleted_at`, and the history
 * trigger. Deleting sets `deleted_at`; 30 days later a job erases the row and its history. A kind without `restore` is never
 * deleted: it has a history only, and no `deleted_at`.
 */
export type RecordKind = {
  /** The table, also the kind in URLs: `client`. */
  kind: string
  /** Singular, as coaches read it: `Client`. */
  label: string
  permission: { read: PermissionName; write: PermissionName }
  /** SQL over the row `r`: its title. */
  title: string
  /** SQL over the row `r`: the URL of the page that shows it. */
  to: string
  /** SQL over the row `r`: whether it is in the trash only with its parent, and so not listed by itself. */
  hidden?: string
  /** Labels of the columns that the history shows. */
  fields: Record<string, FieldLabel>
  restore?: (ctx: WriteCtx, id: number) => Promise<unknown>
  /** Cleans up when the record is permanently deleted, in the same transaction. */
  onErase?: (ctx: EraseCtx, record: ErasedRecord) => Promise<void>
  /** A sentence for the confirmation, where permanent deletion affects more than the record. */
  eraseNote?: string
}
export type ErasedRecord = { id: number; deletedAt: Date }
/** `of`: the kind that an id refers to. `words`: labels of the values. `times`: a text with ranges such as 09:00–12:00. */
export type FieldLabel =
  | string
  | { label: string; as: 'cents' | 'dollars' | 'time' | 'times' | 'markup' }
  | { label: string; words: Record<string, string> }
  | { label: string; of: string }
export type EraseCtx = TenantTransaction & { platform: Platform; coachId: number }

/** The slots that modules contribute to. `params` are the page's route and search params, unless noted. */
export type SlotName =
  /** The sentence below the greeting: string. */
  | 'dashboard.greeting'
  | 'dashboard.stat'
  | 'dashboard.main'
  | 'dashboard.side'
  /** `load` returns a QuickAction. */
  | 'dashboard.action'
  /** A step of the onboarding checklist: `load` returns an OnboardingStep. */
  | 'dashboard.step'
  | 'settings.pane'
  /** A card beside the calendar. */
  | 'calendar.card'
  /** A button of a session's details: `load` returns a SessionAction or null; `params.id` is the appointment. */
  | 'appointment.action'
  /** A card of the client's page; `params.id` is the client. */
  | 'client.card'
  /** A dialog over the client list or page, opened by the URL; `params.id` is the client. `load` returns null for other dialogs. */
  | 'client.dialog'
  /** Entries of a client's timeline: TimelineEntry[]; `params.id` is the client, `params.rows` the limit for each kind. */
  | 'client.timeline'
  /** Facts shown in the client list: ClientFacts for each of `params.ids`. */
  | 'client.row'
  /** Products that a new client can buy: ProductOption[]. */
  | 'client.product'
  /** The completed sessions of a client, latest first: ClientSession[]; `params.id` is the client. */
  | 'client.completed-session'
  /** The next session of a client: ClientNextSession | null; `params.id` is the client. */
  | 'client.next'
  /** When the completed sessions of clients began: string[] for each of `params.ids`. */
  | 'client.sessions'
  /** The remaining sessions of clients as text: a string for each of `params.ids` with a package. */
  | 'client.sessions-left'
  /** Links from a client. */
  | 'client.menu'
  /** Links from a prospect. */
  | 'prospect.menu'
  /** How a client pays an invoice online, on its page: OnlinePayment | null; `params.id` is the invoice, `params.token` its link. */
  | 'invoice.payment'
  /** Whether a visitor can pay `params.amount` (cents) by card now: boolean. */
  | 'sale.available'
  /** How a sale is paid online, on its page: OnlinePayment | null; `params.id` is the sale, `params.token` its link. */
  | 'sale.payment'
  /** The sales that are not booked and whose payment may still arrive: number[]. */
  | 'sale.paying'
  /** Notices for the coach about an invoice: InvoiceNotice[]; `params.id` is the invoice. */
  | 'invoice.notice'
  /** A link beside the coach's payments: `load` returns a PublicLink. */
  | 'payments.link'
  /** How the coach pays for the plan: `load` returns a PlanPayment, or null while that is not possible. */
  | 'upgrade.payment'
  /** More about the coach `params.id` for the administrator: a text for each label. */
  | 'admin.coach'
  /** A link on the coach's public page: `load` returns a PublicLink or null. Its `ctx` is a visitor's, without permissions. */
  | 'home.link'

/** How a coach can change the plan. The forms send the intent `pay` and `choice`: the name of a plan, or `manage`. */
export type PlanPayment = {
  action: string
  /** The labels of the buttons of plans. */
  choices: Partial<Record<PlanName, string>>
  /** Whether there is something to manage: a card, receipts. */
  canManage: boolean
  /** The present subscription, such as when it renews. */
  status: string | null
}

/** A page for visitors. It loads as a document of its own. */
export type PublicLink = { label: string; to: string }

/** A link of the dashboard's Quick Actions and the command palette. `icon` is a name of `app/shell/nav-icons.ts`. */
export type QuickAction = { label: string; to: string; icon: string }

/** A form without input: `to` is the page with its action. */
export type SessionAction = { label: string; to: string; fields: Record<string, string> }

export type OnboardingStep = {
  title: string
  text: string
  /** Stays true when the record that completed it is archived or deleted. */
  done: boolean
  to: string
  buttonLabel: string
  /** Until this step is done, the dashboard welcomes a new coach. */
  endsOnboarding?: boolean
}

export type Contribution = {
  slot: SlotName
  /** A file in the module's `widgets/`, without `.tsx`; its default export gets `{ data }`. None where the slot itself shows the data. */
  widget?: string
  order: number
  permission?: PermissionName
  load: (ctx: Ctx, params: Record<string, string | undefined>) => Promise<unknown>
}

/** People who may become clients, for modules that work with and without them. */
export type ProspectDirectory = {
  /** Needed by a visitor who becomes one. */
  permissions: PermissionName[]
  /** Those whose name or email contains `q`, by name; at most `rows`. */
  list: (ctx: Ctx, options: { q: string; rows: number }) => Promise<ProspectOption[]>
  /** Null for one that is converted or in the trash. */
  findName: (ctx: Ctx, id: number) => Promise<{ id: number; name: string } | null>
  /** Keeps it from being deleted or converted until the transaction ends. Throws not_found. */
  lock: (ctx: WriteCtx, id: number) => Promise<void>
  /** The id of the one with this email address, in any case, or of a new one. */
  findOrCreate: (ctx: WriteCtx, inquiry: Inquiry) => Promise<number>
  /** The client that the one with this email address becomes by paying; null without one. */
  convertBuyer: (ctx: WriteCtx, email: string) => Promise<number | null>
  /** The page of one. */
  toHref: (id: number) => string
  /** The page that adds one. */
  addHref: string
}
export type ProspectOption = { id: number; name: string; timezone: string | null }
export type Inquiry = { name: string; email: string; phone: string | null; timezone: string | null; source: string }

export type Job = {
  /** The queue: `<module>.<what>`. */
  name: string
  /** A cron expression (UTC), for a job that runs by the clock. */
  every?: string
  /** Jobs that a worker fetches at once, for short ones that come in numbers. Default: 1. */
  batchSize?: number
  /** Workers of a process. The jobs of one group, such as a coach, still run one after the other. Default: 1. */
  concurrency?: number
  /** How often a job that throws is retried, after pauses that grow to 15 minutes. Default: 5. */
  retryLimit?: number
  /** Runs once for each job; retried with backoff when it throws, so it must be idempotent. */
  run: (platform: Platform, data: JobData) => Promise<void>
}
export type JobData = Record<string, unknown>

export type DemoPractice = { which: 'first' | 'second'; now: Date }

/** Checks a manifest's type. */
export function defineModule(manifest: ModuleManifest): ModuleManifest {
  return manifest
}
