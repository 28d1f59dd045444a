import { clients } from './0001-clients.ts'
import { imports } from './0002-imports.ts'
import { counted } from './0003-counted.ts'
import { history } from './0004-history.ts'
import { interactions } from './0005-interactions.ts'
import { interactionHistory } from './0006-interaction-history.ts'
import { searchedClients } from './0007-searched.ts'
import { words } from './0008-words.ts'

export const migrations = [clients, imports, counted, history, interactions, interactionHistory, searchedClients, words]
