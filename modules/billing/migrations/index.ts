import { sales } from './0001-sales.ts'
import { history } from './0002-history.ts'
import { search } from './0003-search.ts'
import { pseudonymised } from './0004-pseudonymised.ts'

export const migrations = [sales, history, search, pseudonymised]
