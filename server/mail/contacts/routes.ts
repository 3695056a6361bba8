import { contactOperations } from '../../../contract/contacts.ts';
import { serve } from '../../serve.ts';
import { deleteContact, getContact } from './contacts.ts';
import { setContact } from './set-contact.ts';

export const contactRoutes = [
  serve(contactOperations.getAgentContact, getContact),
  serve(contactOperations.setAgentContact, setContact),
  serve(contactOperations.deleteAgentContact, deleteContact),
  serve(contactOperations.getPosterContact, getContact),
  serve(contactOperations.setPosterContact, setContact),
  serve(contactOperations.deletePosterContact, deleteContact),
];
