import { type z } from 'zod'
import { date, emptyAsNull, id, optionalFormId } from '#app/lib/zod-types.ts'
import { client, interaction } from './records.ts'

/** Input of the API. `productId`: a product sold with the new client, as a pending purchase at its price. */
export const NewClient = client.create.extend({ productId: emptyAsNull(id('Choose a product')) })
export const ClientEdit = client.update
export type NewClient = z.output<typeof NewClient>
export type ClientEdit = z.output<typeof ClientEdit>

/** The Add Client dialog. 'No product assigned' sends an empty text. */
export const NewClientForm = client.form.extend({ productId: optionalFormId() })
/** Both edit forms of a client. */
export const ClientEditForm = client.editForm

/** Input of the API. `interactionDate` is an instant; screens use noon in the coach's time zone. */
export const NewInteraction = interaction.create
export const InteractionEdit = interaction.update
export type NewInteraction = z.output<typeof NewInteraction>
export type InteractionEdit = z.output<typeof InteractionEdit>

/** The interaction dialog: sends a date in the coach's time zone instead of an instant. */
export const NewInteractionForm = interaction.form.extend({ interactionDate: date() })
export const InteractionEditForm = interaction.editForm.extend({ interactionDate: date().optional() })
export type NewInteractionOnDate = z.output<typeof NewInteractionForm>
export type InteractionEditOnDate = Omit<z.output<typeof InteractionEditForm>, 'id' | 'version'>
