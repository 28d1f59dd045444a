/** What other modules know of a client, shown in the list. A contribution to `client.row` answers it by the client's id. */
export type ClientFacts = {
  latestProduct?: string
  lastAppointment?: string
  nextAppointment?: string
}
export type ClientFactsById = Record<number, ClientFacts>

/** A product that a new client may begin with. A contribution to `client.product` answers a list of them. */
export type ProductChoice = { value: string; label: string }

/** Where one may go from a client. `{id}` in `to` becomes the client's id. */
export type ClientPlace = {
  label: string
  /** A name of `components/place-icon.ts`. */
  icon: string
  to: string
  /** `menu`: the menu of a row and of a card; `card-menu`: of a card alone; `card`: a link on the card. */
  on: 'menu' | 'card-menu' | 'card'
}
