import { defineHook } from '#modules/core/hooks.ts'

/** Throws not_found unless the product exists. Runs before a client is created with a product. */
export const assertProduct = defineHook<{ productId: number }>('crm.assert-product')
/** Records the purchase of the product chosen for a new client. */
export const sellProduct = defineHook<{ clientId: number; productId: number }>('crm.sell-product')

/** Run when a client gets a product: once for a sale that is paid in parts. `price`: cents. */
export const productSold = defineHook<ProductSale>('crm.product-sold')
export type ProductSale = { clientId: number; productId: number; productName: string; price: number }

/** Moves what a module keeps for the prospect to the client that the prospect became. */
export const reassignProspect = defineHook<Conversion>('crm.reassign-prospect', { keepsData: true })
/** Moves what a module keeps for the client back to the prospect, when the conversion is undone. */
export const reassignClient = defineHook<Conversion>('crm.reassign-client', { keepsData: true })

export type Conversion = { prospectId: number; clientId: number }

/**
 * Run before two clients are merged, who are locked. A module whose rules the records of both would break throws
 * conflict, with a sentence that says what to change first.
 */
export const assertMerge = defineHook<Merge>('crm.assert-merge', { keepsData: true })
/**
 * Run before a merge is undone. A module throws conflict if rows that were added since depend on rows that move
 * back, and can't move with them. `lastIds`: the highest id of each table at the time of the merge.
 */
export const assertMergeUndo = defineHook<MergeUndo>('crm.assert-merge-undo', { keepsData: true })
/**
 * Run after the rows of `clientRecords` have moved from one client to another, by a merge or its undo. A module updates
 * the totals that it stores for both clients.
 */
export const recordsMoved = defineHook<RecordsMoved>('crm.records-moved', { keepsData: true })

export type MergeUndo = Merge & { moved: Record<string, number[]>; lastIds: Record<string, number> }
export type Merge = { keptId: number; mergedId: number }
/** `moved`: the ids of the rows, by table. */
export type RecordsMoved = { fromId: number; toId: number; moved: Record<string, number[]> }
