import type { Readable } from 'node:stream'
import type { EntitySchema } from '@mikro-orm/core'
import type { NamedMigration } from '#db/orm.ts'
import type { Query } from '#db/read-pool.ts'
import type { Operation } from '#tenants/api/operation.ts'
import type { Ctx, PermissionName, WriteCtx } from '#tenants/context.ts'
import type { PlanName } from '#tenants/accounts/plans.ts'
import type { Platform, TenantTransaction, NewAccountStep } from '#tenants/platform.ts'
import type { AutomationAction, AutomationTrigger } from './automations.ts'
import type { ClientRecords } from './client-records.ts'
import type { ClientSignIn } from './client-sign-in.ts'
import type { DeliveryLog } from './delivery-log.ts'
import type { EventRecorder, PublishedEvent, Subscriber } from './events.ts'
import type { FileSharing } from './file-sharing.ts'
import type { HookImplementation } from './hooks.ts'
import type { Metric } from './metrics.ts'
import type { CoachNotification } from './notifications.ts'
import type { ProgramPart } from './program-parts.ts'
import type { SupportAccess } from './support-access.ts'

/**
 * Everything that a module registers. A module is a folder in `modules/` and a line in `registry.ts`; the platform
 * knows it through its manifest alone, other modules through its `index.ts`.
 */
export type ModuleManifest = {
  /** The folder's name. Permissions (`id:`), migrations (`id/`), queues and hooks (`id.`) begin with it. */
  id: string
  /** The part of the product that an API key is limited to, such as `Clients`. Default: from the id. */
  title?: string
  /** Modules that must be registered before this one. Where one is switched off for a coach, so is this one. */
  dependsOn?: string[]
  /** Whether the platform's administrator may switch the module off for plans and coaches. Default: true. */
  isSwitchable?: boolean
  /** Every tenant table of the module, with its row level security. */
  entities: EntitySchema[]
  migrations: NamedMigration[]
  /**
   * Each permission with a sentence that says what it allows. Services check them with `authorize`. Those that begin
   * with `client:` are of clients in the portal, who have all of them and no other; coaches have none.
   */
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
  /** The emails of this module to the coach that can be switched off. */
  notifications?: CoachNotification[]
  /** The events of this module that coaches may have sent to other programs. */
  publishedEvents?: PublishedEvent[]
  /** Takes note of the `publishedEvents` of all modules. */
  recordEvents?: EventRecorder
  /** Parts in changes of other modules, inside their transaction. */
  hooks?: HookImplementation[]
  jobs?: Job[]
  /** The prospects that this module keeps. Like `onlineSales` and `sessionTasks`, of at most one module. */
  prospects?: ProspectDirectory
  /** Sales to visitors, if this module has them. */
  onlineSales?: OnlineSales
  /** A service that has recordings and transcripts of sessions. */
  recordingSource?: RecordingSource
  /** Tasks that come from sessions, if this module keeps them. */
  sessionTasks?: SessionTasks
  /** The files and links that a coach shares with clients, if this module keeps them. */
  fileSharing?: FileSharing
  /** A record of this module that an item of a program can consist of. */
  programPart?: ProgramPart
  /** The sign-in of clients to the portal, if this module has it. */
  clientSignIn?: ClientSignIn
  /** The visits of administrators to practices, if this module has them. */
  supportAccess?: SupportAccess
  /** The log of events that go to other programs, if this module sends them. */
  deliveryLog?: DeliveryLog
  /** Numbers of the analytics, each with the rows that it is made of. */
  metrics?: Metric[]
  /** Events that begin automations, and actions that these can do. */
  automationTriggers?: AutomationTrigger[]
  automationActions?: AutomationAction[]
  /** Every table of the module with a client in it, and what becomes of its rows when two clients are merged. */
  clientRecords?: ClientRecords[]
  /** Parts in permanently deleting records of other modules, in its transaction, before the row is deleted. */
  beforeErase?: ErasePart[]
  /** A visitor who pays needs these for this module's part in `deliverSold` and `keepSold`. */
  buyerPermissions?: PermissionName[]
  /** Ends what signs people in at the coach's own domain, which may belong to somebody else next. */
  endDomainSessions?: (tx: TenantTransaction, coachId: number) => Promise<void>
  /** A part in closing an account, in its transaction: the owner may reopen it for 30 days. */
  closeAccount?: (ctx: WriteCtx) => Promise<void>
  /** A part in erasing a coach: in its transaction, before their rows are deleted. */
  eraseAccount?: (ctx: EraseCtx) => Promise<void>
  /** The module's part in the export of a whole practice. All rows of all `entities` are in it, unless this says otherwise. */
  practiceExport?: ModuleExport
  /** Creates the rows that a new account starts with, in the account's transaction. */
  newAccount?: NewAccountStep
  /** Fills the demo practice, through the module's own services. */
  seed?: (ctx: Ctx, practice: DemoPractice) => Promise<void>
}

/** A module's part in the export of a whole practice, see docs/export-format.md. */
export type ModuleExport = {
  /** Rules by table. */
  tables?: Record<string, ExportRule>
  /** CSV files beside those of the record kinds, or instead of the one with the same name: `Clients.csv`. */
  csv?: { name: string; write: (ctx: Ctx) => AsyncIterable<string> }[]
  /** Files that the database keeps, such as documents. */
  files?: (ctx: Ctx) => AsyncIterable<{ name: string; content: Buffer }>
  /** Selects `id` and `name` of files in the store, for $1, the coach, and $2, their ids. */
  fileNames?: string
}
/** Each that leaves something out says why, in a part of a sentence that coaches read. */
export type ExportRule =
  /** The table is in no export. */
  | { leftOut: string }
  /** The table can be read in an export, and no import takes it. */
  | { onlyToRead: string; without?: string[] }
  /** `where`: SQL over the row `r`. `values`: SQL over the row `r` by column, instead of its value. */
  | { partly: string; where?: string; values?: Record<string, string> }
  /** Nothing is missing: columns that follow from what other rules leave out. */
  | { values: Record<string, string> }

export type PageRoute = {
  /** The URL's path, such as `clients/:id`. */
  path: string
  /** Inside the module's folder, such as `routes/client.tsx`. */
  file: string
  /**
   * `app` (default): inside the shell, signed in. `public`: for everybody, in a plain layout. `portal`: for clients, on
   * the coach's host; not there without a module that signs them in. `resource`: no page, such as a download.
   */
  layout?: 'app' | 'public' | 'portal' | 'resource'
  /** Accepts file uploads and limits their size itself. Every other page accepts forms of at most 1 MB. */
  uploads?: boolean
  /** For the coach's own plan: there also while the module is switched off. */
  ofPlan?: true
  /** Only for the coach: an administrator on a visit can't open it. */
  isPrivate?: true
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
   * Searches the text in records instead of their names; runs when the names leave room. The `subtitle` of its hits is
   * the line of markup that matches.
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
 * A kind of record with a trash and a history. Its table has `created_at`, `updated_at` and `deleted_at`, and the
 * history trigger. Deleting sets `deleted_at`; 30 days later a job erases the row and its history. A kind without
 * `restore` is never deleted: it has a history only, and no `deleted_at`.
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
  /** A person: permanent deletion leaves a report of what was deleted. */
  isPerson?: true
}
export type ErasedRecord = { id: number; deletedAt: Date }
/**
 * `of`: the kind that an id refers to. `valueLabels`: labels of the values. `times`: a text with ranges such as 09:00–12:00.
 */
export type FieldLabel =
  | string
  | { label: string; as: 'cents' | 'dollars' | 'time' | 'times' | 'markup' }
  | { label: string; valueLabels: Record<string, string> }
  | { label: string; of: string }
/** A part of the list of today, or of the preparation of a session. `more`: the page of the others, if there are any. */
export type TodayPart = { title: string; items: TodayItem[]; more: { label: string; to: string } | null }
/** `detail`: when or from whom; `isLate`: it should have been done before. */
export type TodayItem = { key: string; title: string; detail: string; to: string; isLate?: boolean }

export type ErasePart = { kind: string; run: (ctx: EraseCtx, record: ErasedRecord) => Promise<void> }
export type EraseCtx = TenantTransaction & { platform: Platform; coachId: number }

/** The slots that modules contribute to. `params` are the page's route and search params, unless noted. */
export type SlotName =
  /** Bars over the coach's pages, without code in the browser: `load` returns ShellBar[]. */
  | 'shell.bar'
  /** The sentence below the greeting: string. */
  | 'dashboard.greeting'
  | 'dashboard.stat'
  | 'dashboard.main'
  | 'dashboard.side'
  /** `load` returns a QuickAction. */
  | 'dashboard.action'
  /** A part of the list of today: `load` returns a TodayPart or null. */
  | 'today'
  /** A step of the onboarding checklist: `load` returns an OnboardingStep. */
  | 'dashboard.step'
  | 'settings.pane'
  /**
   * A way to show sessions in a calendar, in the onboarding: `load` returns an OnboardingPart with the widget's data.
   */
  | 'onboarding.calendar'
  /** A way to be paid, in the onboarding: `load` returns an OnboardingPart with the widget's data. */
  | 'onboarding.payment'
  /** A card beside the calendar. */
  | 'calendar.card'
  /** A button of a session's details: `load` returns a SessionAction or null; `params.id` is the appointment. */
  | 'appointment.action'
  /** A card of an appointment type's page; `params.id` is the type. */
  | 'appointment-type.card'
  /** A card of the client's page; `params.id` is the client. */
  | 'client.card'
  /**
   * A dialog over the client list or page, opened by the URL; `params.id` is the client. `load` returns null for other
   * dialogs.
   */
  | 'client.dialog'
  /**
   * Entries of a client's timeline: TimelineEntry[]; `params.id` is the client, `params.rows` the limit for each kind.
   */
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
  /** A filter of the client list: ClientFilter. */
  | 'client.filter'
  /**
   * A part of the preparation of a session: `load` returns a TodayPart or null. `params.client` is the client,
   * `params.since` the end of their last session and `params.last` its id, both empty before the first one.
   */
  | 'session.preparation'
  /** Whether a summary of the completed session `params.id` is being made: boolean. */
  | 'session.summary'
  /** Links from a client. */
  | 'client.menu'
  /** The sessions that tasks come from: TaskSessions, for those of `params.ids`, by appointment. */
  | 'task.session'
  /** Links from a product: ProductLink[]. */
  | 'product.menu'
  /** Links from a prospect. */
  | 'prospect.menu'
  /**
   * How a client pays an invoice online, on its page: OnlinePayment | null; `params.id` is the invoice, `params.token`
   * its link.
   */
  | 'invoice.payment'
  /** Whether a visitor can pay `params.amount` (cents) by card now: boolean. */
  | 'sale.available'
  /**
   * How the product `params.id` is paid in parts or again and again: PaymentPlan | null, null while that is not
   * possible.
   */
  | 'sale.plan'
  /** How a sale is paid online, on its page: OnlinePayment | null; `params.id` is the sale, `params.token` its link. */
  | 'sale.payment'
  /** The sales that are not booked and whose payment may still arrive: number[]. */
  | 'sale.paying'
  /** The page of what a sale sells, on the coach's host: string | null; `params.id` is the sale. */
  | 'sale.page'
  /** Notices for the coach about an invoice: InvoiceNotice[]; `params.id` is the invoice. */
  | 'invoice.notice'
  /** A tab of the pages about payments: `load` returns a PublicLink. */
  | 'payments.link'
  /** How the coach pays for the plan: `load` returns a PlanPayment, or null while that is not possible. */
  | 'upgrade.payment'
  /** More about the coach `params.id` for the administrator: a text for each label. */
  | 'admin.coach'
  /**
   * A link on the coach's public page: `load` returns a PublicLink or null. Its `ctx` is a visitor's, without
   * permissions.
   */
  | 'home.link'
  /** Offers on the coach's public page: `load` returns HomeOffers or null. Its `ctx` is that of 'home.link'. */
  | 'home.offer'
  /**
   * A section of the coach's public page, below the offers: its widget, named `home-…`, is plain HTML. `load` returns
   * null for none. Its `ctx` is that of 'home.link'.
   */
  | 'home.section'
  /** A section of the portal's home page, in the order of what matters next. Its `ctx` is the client's. */
  | 'portal.home'
  /** A page of the portal, for its navigation: `load` returns a PortalLink. Its `ctx` is the client's. */
  | 'portal.page'

/** A form closes it: `fields` are sent to the page `action`. */
export type ShellBar = { title: string; text: string; action: string; fields: Record<string, string> }

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

/** A page of the portal. `count`: what is new there. */
export type PortalLink = PublicLink & { count?: number }

/** A section of the coach's public page. `more`: the page that has all of them, where not all are shown. */
export type HomeOffers = { title: string; offers: HomeOffer[]; more: PublicLink | null }
/** `price`: as visitors read it, with its amount in cents; null where the coach states none. */
export type HomeOffer = {
  name: string
  description: string | null
  /** Such as its length and place. */
  details: string
  price: { text: string; amount: number } | null
  to: string
  buttonLabel: string
}
/** The offers of a section that the public page shows. */
export const shownOffers = 6

/** A link of the dashboard's Quick Actions and the command palette. `icon` is a name of `app/shell/nav-icons.ts`. */
export type QuickAction = { label: string; to: string; icon: string }

/** A link in the menu of a product. `{id}` in `to` is replaced by the product's id. */
export type ProductLink = { label: string; to: string }

/**
 * A form without input, whose action is on the page `to`; without `fields` a link there. `note`: a fact beside the
 * button.
 */
export type SessionAction = { label: string; to: string; fields?: Record<string, string>; note?: string }

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

/** `done`: the coach uses it already, which completes the step. */
export type OnboardingPart = { done: boolean }

export type Contribution = {
  slot: SlotName
  /**
   * A file in the module's `widgets/`, without `.tsx`; its default export gets `{ data }`. None where the slot itself
   * shows the data.
   */
  widget?: string
  order: number
  permission?: PermissionName
  /** About the coach's own plan: there also while the module is switched off. */
  ofPlan?: true
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
  /** The one with this email address, in any case; null for one that is converted or in the trash. Throws forbidden. */
  findByEmail: (ctx: Ctx, email: string) => Promise<{ id: number; name: string } | null>
  /** Keeps it from being deleted or converted until the transaction ends. Throws not_found. */
  lock: (ctx: WriteCtx, id: number) => Promise<void>
  /** The id of the one with this email address, in any case, or of a new one. */
  findOrCreate: (ctx: WriteCtx, inquiry: Inquiry) => Promise<number>
  /** Adds to the activity of one that they sent a message to the coach. */
  logMessage: (ctx: WriteCtx, id: number) => Promise<void>
  /** The client that the one with this email address becomes by paying; null without one. */
  convertBuyer: (ctx: WriteCtx, email: string) => Promise<number | null>
  /** The page of one. */
  toHref: (id: number) => string
  /** The page that adds one. */
  addHref: string
}
export type ProspectOption = { id: number; name: string; timezone: string | null }
export type Inquiry = { name: string; email: string; phone: string | null; timezone: string | null; source: string }

/** Sales to visitors who pay online, for modules that work with and without them. Amounts in cents. */
export type OnlineSales = {
  /** Needed by a visitor who buys. */
  permissions: PermissionName[]
  /** Whether visitors can pay so much by card now. */
  isAvailable: (ctx: Ctx, amount: number) => Promise<boolean>
  /** The products that can be sold for a session: active ones that are paid once, newest first. Throws forbidden. */
  listProducts: (ctx: Ctx) => Promise<SoldProduct[]>
  /** Finds products by id, also those that aren't sold. Visitors see what a session costs, so without a permission. */
  findProducts: (ctx: Ctx, ids: number[]) => Promise<SoldProduct[]>
  /**
   * Offers something of the caller's to a visitor: the hook `keepSold` keeps it while they pay, `deliverSold` hands it
   * over. With `productId` it is sold as that product, at its price, which is locked. Returns the id. Throws conflict
   * if the coach's plan is full, or the product isn't sold.
   */
  start: (
    ctx: WriteCtx,
    offer: ({ name: string; amount: number } | { productId: number }) & { buyer: { name: string; email: string } },
  ) => Promise<number>
  /** How a sale stands. `payAction`: the address of the form that leads to the payment; null while it can't be paid. */
  get: (ctx: Ctx, id: number) => Promise<SaleState>
  /** The address of the payment, to send the visitor to. */
  toPaymentPath: (ctx: Ctx, id: number) => string
  /** Ends an offer; a payment that arrives all the same is booked and delivered. Does nothing once it is paid. */
  withdraw: (ctx: WriteCtx, id: number) => Promise<void>
  /** Sends back what is left of the payment. Throws conflict if it can't go back to the card. */
  refund: (ctx: WriteCtx, id: number) => Promise<void>
}
/** `price`: cents. `sessionCount`: of a package. `isSold`: it is active, paid once, has a price and isn't in the trash. */
export type SoldProduct = {
  id: number
  name: string
  price: number
  sessionCount: number | null
  isSold: boolean
  isInTrash: boolean
}
export type SaleState = {
  state: 'open' | 'paid' | 'withdrawn'
  amount: number
  currency: string
  buyer: { name: string; email: string } | null
  payAction: string | null
}

/**
 * A service that has recordings and transcripts of sessions, for the module that keeps them. Its calls are made outside
 * of transactions; they throw upstream_failed with a sentence for the coach.
 */
export type RecordingSource = {
  name: RecordingSourceName
  label: string
  /** A sentence for the coach while there is no transcript, of a service that has no sound. */
  withoutSound?: string
  /** A sentence for the coach about what the service never has. */
  limits?: string
  /** Whether the coach is connected to it, so that it can be searched. */
  isConnected: (ctx: Ctx) => Promise<boolean>
  /** Returns the recordings of about the time of a session. */
  find: (ctx: Ctx, session: RecordedSession) => Promise<FoundRecording[]>
  /**
   * The transcript of a recording, or its audio if `acceptsSound`. Null while neither is ready, or if it was deleted.
   * `acceptsTranscript: false`: its audio alone.
   */
  open: (
    ctx: Ctx,
    id: string,
    options: { acceptsSound: boolean; acceptsTranscript?: boolean },
  ) => Promise<RecordingContent | null>
}
/** The names of sources: a module that has one adds its own. */
export interface RecordingSourceNames {}
export type RecordingSourceName = keyof RecordingSourceNames
export type RecordedSession = {
  startTime: Date
  endTime: Date
  meetingUrl: string | null
  attendee: { name: string; email: string | null }
}
/** `evidence`: the meeting is that of the session, the attendee took part in it, or its time alone. */
export type FoundRecording = {
  id: string
  title: string
  startTime: Date
  endTime: Date
  evidence: 'meeting' | 'attendee' | 'time'
}
export type RecordingContent =
  /** WebVTT or text. */
  | { kind: 'transcript'; fileName: string; text: string }
  /** `size`: the bytes that must arrive; null if the service doesn't say. */
  | { kind: 'sound'; fileName: string; content: Readable; size: number | null }

/** Tasks that come from sessions with a client, for modules that work with and without them. */
export type SessionTasks = {
  /** Adds each once, by its `key`: not again what is there, or what the coach has deleted. */
  add: (ctx: WriteCtx, session: { appointmentId: number; clientId: number }, tasks: NewSessionTask[]) => Promise<void>
  /** Permanently deletes those of a session that the coach has left as they were. */
  takeBack: (ctx: WriteCtx, appointmentId: number) => Promise<void>
  /** Permanently deletes all that came from these sessions, or from any of the client, with their history. */
  erase: (
    ctx: Pick<WriteCtx, 'query' | 'coachId'>,
    sessions: { appointmentIds: number[]; clientId: number | null },
  ) => Promise<void>
  /** The tasks of sessions, oldest first, without the trash. */
  list: (ctx: Ctx, appointmentIds: number[]) => Promise<SessionTask[]>
  /** The open tasks from all sessions of a client: those that are due first, at most `rows`. */
  listOpen: (ctx: Ctx, clientId: number, rows: number) => Promise<SessionTask[]>
  /** The page of one. */
  toHref: (id: number) => string
  /** The action that completes one, with the intent `complete` and its id, and leads back. */
  toggle: string
}
/** `line`: of the transcript that says it. `dueDate`: '2026-03-14'. */
export type NewSessionTask = {
  key: string
  title: string
  owner: 'coach' | 'client'
  dueDate: string | null
  line: number | null
}
export type SessionTask = Omit<NewSessionTask, 'line'> & { id: number; appointmentId: number; doneAt: string | null }
/** `to`: the session's page, which takes the search param `line`. */
export type TaskSessions = Record<number, { label: string; to: string }>

export type Job = {
  /** The queue: `<module>.<what>`. */
  name: string
  /** A cron expression (UTC), for a job that runs by the clock. */
  every?: string
  /** Sends an email, or sends or handles a webhook: administrators list these by themselves. */
  kind?: JobKind
  /** Jobs that a worker fetches at once, for short ones that come in numbers. Default: 1. */
  batchSize?: number
  /** Workers of a process. As a rule, jobs of one group, such as a coach, run one after the other. Default: 1. */
  concurrency?: number
  /** How often a job that throws is retried, after pauses that grow to 15 minutes. Default: 5. */
  retryLimit?: number
  /** After this time a job counts as failed, and is retried while it may still run. Default: 15 minutes. */
  expireInSeconds?: number
  /**
   * Runs also for coaches for whom the module is switched off: for cleaning up, and for what has begun outside, such as a
   * payment. Any other job does nothing for them: the one with their `coachId`, and `forEachCoach`.
   */
  keepsData?: true
  /** Runs once for each job; retried with backoff when it throws, so it must be idempotent. */
  run: (platform: Platform, data: JobData) => Promise<void>
  /**
   * Runs when the job has failed and isn't tried again, if something waits for it. Not if a process was killed in the last
   * try.
   */
  giveUp?: (platform: Platform, data: JobData) => Promise<void>
}
export type JobData = Record<string, unknown>
export type JobKind = 'email' | 'webhook'

export type DemoPractice = { which: 'first' | 'second'; now: Date }

/** Checks a manifest's type. */
export function defineModule(manifest: ModuleManifest): ModuleManifest {
  return manifest
}
