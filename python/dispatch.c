// SPDX-License-Identifier: Apache-2.0
// A callable that hands its arguments on to one of two others: to `fast`, unless an argument is
// one that JAX traces, then to `original`.  A call of a small function of JAX takes a few
// microseconds; this look at the types of the arguments takes some 0.05 of them.
//
//     Dispatcher(fast, original, is_traced, plain)
//
// `plain` is a set of types whose values are never traced.  Values of other types, but for tuples,
// lists and dicts of plain values, are shown to `is_traced`, which says so.
#define Py_LIMITED_API 0x03090000
#include <Python.h>

typedef struct {
    PyObject_HEAD PyObject *fast, *original, *is_traced, *plain;
} dispatcher;

enum { PLAIN_DEPTH = 8 };

// 1: the value has plain leaves only; 0: not known; -1: an exception.
static int is_plain(dispatcher *self, PyObject *value, int depth)
{
    int found = PySet_Contains(self->plain, (PyObject *)Py_TYPE(value));
    if (found != 0 || depth == PLAIN_DEPTH)
        return found;
    if (PyTuple_CheckExact(value)) {
        Py_ssize_t n = PyTuple_Size(value);
        for (Py_ssize_t i = 0; i < n; i++)
            if ((found = is_plain(self, PyTuple_GetItem(value, i), depth + 1)) != 1)
                return found;
        return 1;
    }
    if (PyList_CheckExact(value)) {
        for (Py_ssize_t i = 0; i < PyList_Size(value); i++)
            if ((found = is_plain(self, PyList_GetItem(value, i), depth + 1)) != 1)
                return found;
        return 1;
    }
    if (PyDict_CheckExact(value)) {
        PyObject *key, *item;
        Py_ssize_t at = 0;
        while (PyDict_Next(value, &at, &key, &item))
            if ((found = is_plain(self, item, depth + 1)) != 1)
                return found;
        return 1;
    }
    return 0;
}

// 1: JAX traces the value; 0: not; -1: an exception.
static int is_traced(dispatcher *self, PyObject *value)
{
    int plain = is_plain(self, value, 0);
    if (plain != 0)
        return plain < 0 ? -1 : 0;
    PyObject *answer = PyObject_CallFunctionObjArgs(self->is_traced, value, NULL);
    if (answer == NULL)
        return -1;
    int traced = PyObject_IsTrue(answer);
    Py_DECREF(answer);
    return traced;
}

static PyObject *dispatcher_call(PyObject *object, PyObject *arguments, PyObject *keywords)
{
    dispatcher *self = (dispatcher *)object;
    int traced = 0;
    if (self->fast == NULL) {
        PyErr_SetString(PyExc_TypeError, "a Dispatcher without arguments");
        return NULL;
    }
    Py_ssize_t n = PyTuple_Size(arguments);
    for (Py_ssize_t i = 0; i < n && traced == 0; i++)
        traced = is_traced(self, PyTuple_GetItem(arguments, i));
    if (keywords != NULL) {
        PyObject *key, *item;
        Py_ssize_t at = 0;
        while (traced == 0 && PyDict_Next(keywords, &at, &key, &item))
            traced = is_traced(self, item);
    }
    if (traced < 0)
        return NULL;
    return PyObject_Call(traced ? self->original : self->fast, arguments, keywords);
}

static int dispatcher_clear(PyObject *object)
{
    dispatcher *self = (dispatcher *)object;
    Py_CLEAR(self->fast);
    Py_CLEAR(self->original);
    Py_CLEAR(self->is_traced);
    Py_CLEAR(self->plain);
    return 0;
}

static int dispatcher_init(PyObject *object, PyObject *arguments, PyObject *keywords)
{
    PyObject *fast, *original, *traced, *plain;
    if (keywords != NULL && PyDict_Size(keywords) > 0) {
        PyErr_SetString(PyExc_TypeError, "Dispatcher takes no keywords");
        return -1;
    }
    if (!PyArg_ParseTuple(arguments, "OOOO", &fast, &original, &traced, &plain))
        return -1;
    if (!PyAnySet_Check(plain)) {
        PyErr_SetString(PyExc_TypeError, "plain is a set of types");
        return -1;
    }
    dispatcher_clear(object);
    dispatcher *self = (dispatcher *)object;
    Py_INCREF(fast);
    Py_INCREF(original);
    Py_INCREF(traced);
    Py_INCREF(plain);
    self->fast = fast;
    self->original = original;
    self->is_traced = traced;
    self->plain = plain;
    return 0;
}

static int dispatcher_traverse(PyObject *object, visitproc visit, void *arg)
{
    dispatcher *self = (dispatcher *)object;
    Py_VISIT(self->fast);
    Py_VISIT(self->original);
    Py_VISIT(self->is_traced);
    Py_VISIT(self->plain);
    Py_VISIT(Py_TYPE(object));
    return 0;
}

static void dispatcher_free(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    PyObject_GC_UnTrack(object);
    dispatcher_clear(object);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

static PyType_Slot slots[] = {
    {Py_tp_doc, "Calls `fast`, or `original` if JAX traces an argument."},
    {Py_tp_call, dispatcher_call},
    {Py_tp_init, dispatcher_init},
    {Py_tp_traverse, dispatcher_traverse},
    {Py_tp_clear, dispatcher_clear},
    {Py_tp_dealloc, dispatcher_free},
    {0, NULL},
};
static PyType_Spec spec = {
    .name = "rankwright._dispatch.Dispatcher",
    .basicsize = sizeof(dispatcher),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    .slots = slots,
};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, .m_name = "rankwright._dispatch",
                                    .m_size = -1};

PyMODINIT_FUNC PyInit__dispatch(void)
{
    PyObject *made = PyModule_Create(&module), *type = PyType_FromSpec(&spec);
    if (made == NULL || type == NULL || PyModule_AddObject(made, "Dispatcher", type) < 0) {
        Py_XDECREF(made);
        Py_XDECREF(type);
        return NULL;
    }
    return made;
}
