import { defaultParam, enumParam, idParam, pageParam, patternParam, textParam, urlState } from '#app/lib/url.ts'
import { itemKinds, type ItemKind } from './fields.ts'

export const pageSize = 50

/** The tabs of the page of clients' programs. */
export const views = { running: 'Running', completed: 'Completed' } as const
export type View = keyof typeof views

/** `view`: of the programs, or the templates. */
export const programsUrl = urlState('/programs', {
  view: defaultParam(['running', 'completed', 'templates'], 'running'),
  q: textParam,
  page: pageParam,
  dialog: enumParam(['add', 'assign', 'delete']),
  template: idParam,
  client: idParam,
})

const partId = patternParam(/^[a-z0-9]{1,40}$/)

/** The editor of a template. `milestone`, `item`: those whose dialog is open. */
export const templateUrl = (id: number) =>
  urlState(`/programs/templates/${id}`, {
    dialog: enumParam(['details', 'milestone', 'delete-milestone', 'item', 'delete-item']),
    milestone: partId,
    item: partId,
    kind: enumParam(Object.keys(itemKinds) as ItemKind[]),
  })

/** A client's program. */
export const programUrl = (id: number) =>
  urlState(`/programs/${id}`, {
    dialog: enumParam([
      'details',
      'shift',
      'progress',
      'delete',
      'goal',
      'value',
      'delete-goal',
      'item',
      'delete-item',
    ]),
    goal: idParam,
    milestone: idParam,
    item: idParam,
  })
