"""A small importer of FMI 2.0, for tests: the rules of the XML, and the functions of a unit by ctypes.

Written from the schema files of the standard, version 2.0; it shares nothing with what writes units.
"""

import ctypes
import re
import xml.etree.ElementTree
import zipfile

OK, WARNING, DISCARD, ERROR, FATAL, PENDING = range(6)
MODEL_EXCHANGE, CO_SIMULATION = 0, 1

REAL = ctypes.c_double
REFERENCE = ctypes.c_uint
LOGGER = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p)
ALLOCATE = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t)
FREE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
FINISHED = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int)


class Callbacks(ctypes.Structure):
    _fields_ = [("logger", LOGGER), ("allocate", ALLOCATE), ("free", FREE), ("finished", FINISHED),
                ("environment", ctypes.c_void_p)]


# Elements in this order.
ORDER = ["ModelExchange", "CoSimulation", "UnitDefinitions", "TypeDefinitions", "LogCategories", "DefaultExperiment",
         "VendorAnnotations", "ModelVariables", "ModelStructure"]
# Combinations of causality, variability and initial that are allowed for what we write.
ALLOWED = {("parameter", "fixed", "exact"), ("parameter", "tunable", "exact"), ("input", "continuous", None),
           ("output", "continuous", "calculated"), ("output", "continuous", "exact"), ("output", "continuous", "approx"),
           ("local", "continuous", "calculated"), ("local", "continuous", "exact"), ("local", "continuous", "approx"),
           ("independent", "continuous", None)}
# The attributes of the schema files.
OF_BOTH = {"modelIdentifier", "needsExecutionTool", "canBeInstantiatedOnlyOncePerProcess",
           "canNotUseMemoryManagementFunctions", "canGetAndSetFMUstate", "canSerializeFMUstate",
           "providesDirectionalDerivative"}
ATTRIBUTES = {
    "fmiModelDescription": {"fmiVersion", "modelName", "guid", "description", "author", "version", "copyright", "license",
                            "generationTool", "generationDateAndTime", "variableNamingConvention",
                            "numberOfEventIndicators"},
    "ModelExchange": OF_BOTH | {"completedIntegratorStepNotNeeded"},
    "CoSimulation": OF_BOTH | {"canHandleVariableCommunicationStepSize", "canInterpolateInputs",
                               "maxOutputDerivativeOrder", "canRunAsynchronuously"},
    "File": {"name"},
    "DefaultExperiment": {"startTime", "stopTime", "tolerance", "stepSize"},
    "ScalarVariable": {"name", "valueReference", "description", "causality", "variability", "initial",
                       "canHandleMultipleSetPerTimeInstant"},
    "Real": {"declaredType", "quantity", "unit", "displayUnit", "relativeQuantity", "min", "max", "nominal", "unbounded",
             "start", "derivative", "reinit"},
    "Unknown": {"index", "dependencies", "dependenciesKind"},
}


def problems_of(root):
    """What breaks a rule of the standard, as a list of texts."""
    found = []

    def rule(holds, text):
        if not holds:
            found.append(text)

    rule(root.tag == "fmiModelDescription", "the root is fmiModelDescription")
    rule(root.get("fmiVersion") == "2.0", "fmiVersion is 2.0")
    for name in ("modelName", "guid"):
        rule(root.get(name), f"{name} is there")
    tags = [child.tag for child in root]
    rule(all(tag in ORDER for tag in tags), f"elements are known: {tags}")
    rule(tags == sorted(tags, key=ORDER.index), f"elements stand in their order: {tags}")
    rule("ModelExchange" in tags or "CoSimulation" in tags, "it is of one kind at least")
    rule("ModelVariables" in tags and "ModelStructure" in tags, "variables and structure are there")
    for kind in root.findall("ModelExchange") + root.findall("CoSimulation"):
        name = kind.get("modelIdentifier") or ""
        rule(re.fullmatch(r"[A-Za-z_]\w*", name), f"modelIdentifier is a name of C: {name}")
    variables = root.findall("ModelVariables/ScalarVariable")
    names = [variable.get("name") for variable in variables]
    rule(len(set(names)) == len(names), "names are unique")
    for variable in variables:
        name = variable.get("name")
        kind = (variable.get("causality", "local"), variable.get("variability", "continuous"), variable.get("initial"))
        rule(kind in ALLOWED, f"{name}: {kind} is allowed")
        rule((variable.get("valueReference") or "").isdigit(), f"{name}: has a value reference")
        types = [child for child in variable if child.tag in ("Real", "Integer", "Boolean", "String", "Enumeration")]
        rule(len(types) == 1, f"{name}: has one type")
        # A start value stands where the value is given from outside, and nowhere else.
        given = kind[0] == "input" or kind[2] in ("exact", "approx")
        rule((types[0].get("start") is not None) == given, f"{name}: start value")
    structure = root.find("ModelStructure")
    rule([child.tag for child in structure] == sorted((child.tag for child in structure), key=[
        "Outputs", "Derivatives", "DiscreteStates", "InitialUnknowns"].index), "the structure is in its order")

    def listed(name):
        return [int(unknown.get("index")) for unknown in structure.findall(f"{name}/Unknown")]

    def having(test):
        return [k + 1 for k, variable in enumerate(variables) if test(variable)]

    rule(listed("Outputs") == having(lambda one: one.get("causality") == "output"), "Outputs are all outputs")
    rates = having(lambda one: one.find("Real").get("derivative") is not None)
    rule(sorted(listed("Derivatives")) == rates, "Derivatives are all rates")
    rule(bool(rates) or root.find("ModelExchange") is None, "model exchange has rates")
    for k in rates:
        state = int(variables[k - 1].find("Real").get("derivative"))
        rule(1 <= state <= len(variables) and variables[state - 1].get("causality") in ("local", "output"),
             f"rate {k} is one of a state")
    states = [int(variables[k - 1].find("Real").get("derivative")) for k in rates]
    rule(len(set(states)) == len(states), "a state has one rate")
    # Outputs with approx or calculated, states and rates with approx or calculated.
    wanted = set(having(lambda one: one.get("causality") == "output" and one.get("initial") != "exact"))
    wanted |= {k for k in states + rates if variables[k - 1].get("initial") in ("approx", "calculated")}
    rule(sorted(wanted) == listed("InitialUnknowns"), "InitialUnknowns are these, by their index")
    for element in root.iter():
        rule(set(element.attrib) <= ATTRIBUTES.get(element.tag, set()), f"{element.tag}: attributes are known")
    return found


class Unit:
    """A unit of a file, unpacked into a folder."""

    def __init__(self, file, folder):
        with zipfile.ZipFile(file) as archive:
            assert archive.testzip() is None
            archive.extractall(folder)
        self.root = xml.etree.ElementTree.parse(folder / "modelDescription.xml").getroot()
        self.name = self.root.find("CoSimulation").get("modelIdentifier")
        self.resources = folder / "resources"
        self.guid = self.root.get("guid")
        self.references = {"input": [], "output": [], "local": [], "parameter": []}
        self.rates = []
        for variable in self.root.findall("ModelVariables/ScalarVariable"):
            reference = int(variable.get("valueReference"))
            rate = variable.find("Real").get("derivative") is not None
            (self.rates if rate else self.references[variable.get("causality")]).append(reference)
        self.library = ctypes.CDLL(str(folder / "binaries/linux64" / f"{self.name}.so"))
        self.library.fmi2Instantiate.restype = ctypes.c_void_p
        self.library.fmi2GetVersion.restype = ctypes.c_char_p
        self.library.fmi2GetTypesPlatform.restype = ctypes.c_char_p
        libc = ctypes.CDLL(None)
        libc.calloc.restype = ctypes.c_void_p
        self.said = []
        self.kept = Callbacks(LOGGER(lambda _e, _n, _s, _c, text: self.said.append(text)),
                              ALLOCATE(lambda count, size: libc.calloc(ctypes.c_size_t(count), ctypes.c_size_t(size))),
                              FREE(lambda place: libc.free(ctypes.c_void_p(place))), FINISHED(), None)

    def instantiate(self, kind=CO_SIMULATION, guid=None):
        guid = self.guid if guid is None else guid
        found = self.library.fmi2Instantiate(b"one", kind, guid.encode(), b"file:///", ctypes.byref(self.kept), 0, 0)
        return Instance(self, found) if found else None


class Instance:
    """An instance of a unit; functions raise unless they return OK."""

    def __init__(self, unit, place):
        self.unit = unit
        self.place = ctypes.c_void_p(place)

    def __getattr__(self, name):
        function = getattr(self.unit.library, "fmi2" + name)

        def call(*arguments):
            status = function(self.place, *arguments)
            if name != "FreeInstance" and status != OK:
                raise RuntimeError(f"fmi2{name}: status {status} {self.unit.said[-1:]}")
        return call

    def get(self, references):
        values = (REAL * len(references))()
        self.GetReal((REFERENCE * len(references))(*references), ctypes.c_size_t(len(references)), values)
        return list(values)

    def set(self, references, values):
        count = len(references)
        self.SetReal((REFERENCE * count)(*references), ctypes.c_size_t(count), (REAL * count)(*values))

    def set_slopes(self, references, order, values):
        count = len(references)
        self.SetRealInputDerivatives((REFERENCE * count)(*references), ctypes.c_size_t(count),
                                     (ctypes.c_int * count)(*([order] * count)), (REAL * count)(*values))

    def begin(self, start, inputs):
        self.SetupExperiment(0, REAL(0.0), REAL(start), 0, REAL(0.0))
        self.EnterInitializationMode()
        self.set(self.unit.references["input"], inputs)
        self.ExitInitializationMode()
