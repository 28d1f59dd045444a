import { accounts } from './0001-accounts.ts'
import { lastSignIn } from './0002-last-sign-in.ts'
import { history } from './0003-history.ts'
import { uploads } from './0004-uploads.ts'
import { words } from './0005-words.ts'
import { forgotten } from './0006-forgotten.ts'

export const houseMigrations = [accounts, lastSignIn, history, uploads, words, forgotten]
