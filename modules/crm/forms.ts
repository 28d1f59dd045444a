import { z } from 'zod'
import { date, emptyAsNull, formId, id, optionalFormId, requiredLine, tag, version } from '#app/lib/zod-types.ts'
import { parseId } from '#app/lib/url.ts'
import { clientFieldNames, clientStatuses, type ClientField } from './fields.ts'
import { rowsPerPage } from './import/rows-per-page.ts'
import { isJoinable } from './merge-fields.ts'
import { clientsPerPage } from './list-state.ts'
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

const source = () => z.enum(['kept', 'merged'], 'Choose a value').optional()
const joinableSource = () => z.enum(['kept', 'merged', 'both'], 'Choose a value').optional()
type MergeSources = { [N in ClientField]: ReturnType<typeof joinableSource> }
/** The merge of the client `with` into another one: whose value each field keeps. */
export const MergeForm = z.object({
  with: formId('Choose another client'),
  keptVersion: version(),
  mergedVersion: version(),
  ...(Object.fromEntries(
    clientFieldNames.map((name) => [name, isJoinable(name) ? joinableSource() : source()]),
  ) as MergeSources),
})

const viewName = () => requiredLine('Name is required', 60)
/** A view of the client list. `url`: the list as it is shown. */
export const NewViewForm = z.object({ name: viewName(), url: z.string().max(4000) })
export const RenameViewForm = z.object({ id: formId('View not found'), name: viewName() })

const chosenIds = z.preprocess(
  (value) => (Array.isArray(value) ? value : [value]).map(parseId).filter(Boolean),
  z.array(z.int()).max(clientsPerPage),
)
const statusActions = clientStatuses.map((status) => `status-${status}` as const)
/** A change of many clients: of `ids`, or of all in the list at `url`. */
export const BulkForm = z.object({
  ids: chosenIds,
  all: z.enum(['on']).optional(),
  url: z.string().max(4000),
  action: z.enum(
    ['add-tag', 'remove-tag', ...statusActions, 'archive', 'unarchive', 'delete'],
    'Choose what to change.',
  ),
  tag: tag().optional(),
})

const parseIndexes = (text: unknown): number[] =>
  String(text ?? '')
    .split(',')
    .filter((index) => /^\d{1,6}$/.test(index))
    .map(Number)
const indexes = z.preprocess((value) => [value].flat().flatMap(parseIndexes), z.array(z.int()).max(rowsPerPage))
/**
 * The rows of a file to import, by their index: `shown` with a box, and `rows`, the checked ones. `then`: starts the
 * import, or selects all rows or none.
 */
export const ImportChoices = z.object({
  shown: indexes,
  rows: indexes,
  tag: tag().optional(),
  then: z.enum(['run', 'all', 'none']).optional(),
})

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
