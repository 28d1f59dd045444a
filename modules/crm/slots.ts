/** What other modules know of a client, shown in the list. A contribution to `client.row` answers it by the client's id. */
export type ClientFacts = {
  latestProduct?: string
  lastAppointment?: string
  nextAppointment?: string
}
export type ClientFactsById = Record<number, ClientFacts>

/** A product that a new client may begin with. A contribution to `client.product` answers a list of them. */
export type ProductChoice = { value: string; label: string }

/** Where one may go from a client, or what may open over the page that one is on. */
export type ClientPlace = {
  label: string
  /** A name of `components/place-icon.ts`. */
  icon: string
  /** `menu`: the menu of a row and of a card, and the client's page; `card-menu`: of a card alone; `page`: the page alone; `card`: a link on the card, and beside who they are on the page. */
  on: 'menu' | 'card-menu' | 'page' | 'card'
} & (
  | {
      /** `{id}` in it becomes the client's id. */
      to: string
      dialog?: undefined
    }
  /** A dialog of the slot `client.dialog`, by its name. */
  | { dialog: string; to?: undefined }
)

/** The address of a place, seen from a page that opens dialogs at `dialogAt`. */
export function placeAddress({ to, dialog }: ClientPlace, id: number, dialogAt: (name: string) => string): string {
  return to === undefined ? dialogAt(dialog) : to.replace('{id}', String(id))
}

/**
 * Something that happened with a client, for the timeline on the client's page. A contribution to `client.timeline` answers
 * them newest first, at most `params.rows` of each kind (50 when left out).
 */
export type TimelineEntry = {
  /** Unlike that of any other entry: `interaction 7`. */
  key: string
  /** An instant, ISO 8601. Screens show its day in the coach's time zone. */
  at: string
  /** A lower-case word that the timeline is filtered by: interaction, purchase, prospect, activity, session, file, ... */
  kind: string
  title: string
  /** Light markup (`asMarkup` makes it of plain text). */
  text: string | null
  /** Where it is shown in full. */
  to: string | null
}
