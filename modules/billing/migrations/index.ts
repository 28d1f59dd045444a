import { sales } from './0001-sales.ts'
import { history } from './0002-history.ts'

export const migrations = [sales, history]
