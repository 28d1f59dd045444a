import type { Choice } from '#app/lib/fields.ts'

/** Data of other modules for a row of the client list. Contributions to `client.row` return it by client id. */
export type ClientFacts = {
  latestProduct?: string
  lastAppointment?: string
  nextAppointment?: string
}
export type ClientFactsById = Record<number, ClientFacts>

/** A product for a new client. Contributions to `client.product` return a list of them. */
export type ProductOption = { value: string; label: string }

/** A filter of the client list by data of another module. */
export type ClientFilter = {
  /** In the URL: lower-case letters. */
  name: string
  label: string
  choices: () => Promise<Choice[]>
  /**
   * The condition on a row of `client` for a value of the URL, or null for one that isn't a choice. $1 is the coach.
   */
  condition: (value: string) => FilterCondition | null
}
export type FilterCondition = {
  /** The part of the statement's name, one for each SQL. */
  name: string
  sql: (placeholder: string) => string
  value: unknown
}

/** A link to another page or a dialog, offered for each client. */
export type ClientLink = {
  label: string
  /** A name from `components/link-icon.ts`. */
  icon: string
  /**
   * `menu`: the menus of rows and cards, and a button on the client's page. `menu-and-details`: the same menus, and a
   * link in the details on the client's page. `card-menu`: only the menus of cards. `page`: only a button on the
   * client's page.
   * `card`: a link on the card and in the details on the client's page.
   */
  placement: 'menu' | 'menu-and-details' | 'card-menu' | 'page' | 'card'
} & (
  | {
      /** `{id}` is replaced by the client's id. */
      to: string
      dialog?: undefined
    }
  /** A dialog of the slot `client.dialog`. */
  | { dialog: string; to?: undefined }
)

/**
 * A client's next session. Contributions to `client.next` return it, or null if none is scheduled. `prepareTo`: the page
 * to prepare it on.
 */
export type ClientNextSession = { label: string; when: string; to: string; prepareTo: string }

/**
 * A completed session, for invoices. Contributions to `client.completed-session` return a client's, latest first.
 * `start`: ISO 8601.
 * `price`: cents; null if it has none.
 */
export type ClientSession = { id: number; title: string; start: string; price: number | null }

/** The URL of a link. `dialogHref`: how the current page opens a dialog. */
export function clientLinkHref({ to, dialog }: ClientLink, id: number, dialogHref: (name: string) => string): string {
  return to === undefined ? dialogHref(dialog) : to.replace('{id}', String(id))
}

/**
 * An entry of the timeline on the client's page. Contributions to `client.timeline` return them newest first, at most
 * `params.rows` of each kind (default 50).
 */
export type TimelineEntry = {
  /** Unique, such as `interaction 7`. */
  key: string
  /** ISO 8601. */
  at: string
  /** A lower-case word for the filter: interaction, purchase, prospect, activity, session, file, ... */
  kind: string
  title: string
  /** Markup; use `escapeMarkup` for plain text. */
  text: string | null
  /** The page that shows it in full. */
  to: string | null
}
