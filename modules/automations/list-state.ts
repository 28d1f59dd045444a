import { enumParam, idParam, patternParam, urlState } from '#app/lib/url.ts'
import { runStates, type RunState } from './fields.ts'

export const automationsUrl = urlState('/automations', { dialog: enumParam(['add', 'delete']), automation: idParam })

/**
 * The page of an automation. `action`: the one whose dialog is open, `kind`: of a new one. `after`: the last run of the
 * previous page of the log.
 */
export const automationUrl = (id: number) =>
  urlState(`/automations/${id}`, {
    view: enumParam(['dry-run', 'runs']),
    dialog: enumParam(['action', 'remove-action']),
    action: patternParam(/^[a-z0-9]{1,40}$/),
    kind: patternParam(/^[a-z.-]{1,100}$/),
    state: enumParam(Object.keys(runStates) as RunState[]),
    after: idParam,
  })

/** Runs of one page of the log. */
export const pageSize = 25
